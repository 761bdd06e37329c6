#include "channel_party.hpp"
#include "embedded_channel.hpp"
#include "exchange/sum_faults.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/site_run.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <future>

namespace tulle {
namespace {

// In the list of keys that site 1 sends to the others, its own key is a copy of that of site 3.
class CopyingChannel : public EmbeddedChannel {
 public:
  using EmbeddedChannel::EmbeddedChannel;

  void send(int to, Bytes message) override {
    const std::size_t kind = 1;
    if (rank() == 0 && message.size() == kind + malice::kHead + 2 + 3 * (1 + malice::kNoticeBytes) &&
        message[kind + malice::kHead - 1] == static_cast<std::uint8_t>(SumStep::keys)) {
      const auto keys = message.begin() + kind + malice::kHead + 2 + 3;
      std::copy_n(keys + 2 * malice::kNoticeBytes, kKeyBytes, keys);
    }
    EmbeddedChannel::send(to, std::move(message));
  }
};

SiteJob job_of_three_sites(const TemporaryFolder& folder) {
  SiteJob job;
  job.study.title = "shops";
  job.study.relations = {{.name = "ratings", .entities = {"user", "film"}}};
  job.study.private_entity = "user";
  job.study.sizes["film"] = 3;
  for (int site = 0; site < 3; ++site) {
    const std::string file = folder / fmt::format("{}.tns", site);
    std::ofstream ratings(file);
    for (int user = 1; user <= 9; ++user)
      ratings << fmt::format("{} {} {}\n", user, user % 3 + 1, (user + site) % 5 + 1);
    job.study.sites.push_back({fmt::format("site{}", site), file, file});
  }
  job.completion.method = "als";
  Terms& terms = job.completion.terms;
  terms.budget = {1, 1e-6};
  terms.range = {1, 5};
  terms.sites = Sites{.colluding = 1};
  complete_terms(job);
  return job;
}

// Why each site of a run ends, empty where it comes to its end.
template <class SiteChannel>
std::vector<std::string> ends_of_a_run() {
  const TemporaryFolder folder;
  const SiteJob job = job_of_three_sites(folder);
  std::deque<Mailbox> mailboxes;
  for (int site = 0; site < 3; ++site) mailboxes.emplace_back(3);
  const auto run = [&](int site) -> std::string {
    try {
      SiteChannel channel(mailboxes, site);
      ChannelParty party(channel, agreed_terms(job));
      run_site(job, party);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  std::vector<std::future<std::string>> running;
  for (int site = 0; site < 3; ++site) running.push_back(std::async(std::launch::async, run, site));
  std::vector<std::string> ends;
  for (auto& end : running) ends.push_back(end.get());
  return ends;
}

TEST(MaliciousHubRun, SitesEndARunInWhichAKeyIsCopied) {
  EXPECT_EQ(ends_of_a_run<EmbeddedChannel>(), std::vector<std::string>(3)) << "without a lie";
  const std::vector<std::string> ends = ends_of_a_run<CopyingChannel>();
  for (std::size_t site : {1u, 2u})
    EXPECT_EQ(ends[site], "site 3 and another site have the same key; the run ends");
}

}  // namespace
}  // namespace tulle
