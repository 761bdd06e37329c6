#include "exact_ratio.hpp"
#include "transcript.hpp"

#include <tulle/audit/bytes.hpp>
#include <tulle/base/json.hpp>
#include <tulle/report/page.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

namespace tulle {
namespace {

// One release and its exact answer.
struct Sent {
  std::string noise;
  std::vector<double> exact, values;
};

// Witnesses of the sites of a run, whose curators run on threads of their own.
template <class SiteWitness>
class PerSite {
 public:
  SiteWitness& of(int site) {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<SiteWitness>& witness = all_[site];
    if (!witness) witness = std::make_unique<SiteWitness>();
    return *witness;
  }
  const std::map<int, std::unique_ptr<SiteWitness>>& all() const { return all_; }

 private:
  std::mutex mutex_;
  std::map<int, std::unique_ptr<SiteWitness>> all_;
};

class SentRecord final : public Witness {
 public:
  std::optional<std::uint64_t> watched_unit() const override { return std::nullopt; }
  void sampled(std::vector<std::uint64_t>&) override {}
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    sent.push_back({noise.name(), exact.answers.front(), values});
  }

  Witness& at_site(int site) override { return sites.of(site); }
  std::size_t releases() const {
    std::size_t count = sent.size();
    for (const auto& [site, record] : sites.all()) count += record->sent.size();
    return count;
  }

  std::vector<Sent> sent;
  PerSite<SentRecord> sites;
};

// Answers every release as recorded. If the second run asks for another release than the first, the two are
// distinguishable, and its own answer is released. They are also distinguishable if the distance of the exact
// answers exceeds the sensitivity: then one unit changes others before the method sees them. (Samples, which
// are drawn anew, are not compared here: the exact audit compares them.)
class ReplayOfSent final : public Witness {
 public:
  explicit ReplayOfSent(SentRecord& record) : record_(record), sent_(record.sent) {}

  Witness& at_site(int site) override {
    const std::scoped_lock lock(mutex_);
    std::unique_ptr<ReplayOfSent>& replay = sites_[site];
    if (!replay) replay = std::make_unique<ReplayOfSent>(record_.sites.of(site));
    return *replay;
  }
  std::optional<std::uint64_t> watched_unit() const override { return std::nullopt; }
  void sampled(std::vector<std::uint64_t>&) override { sampled_ = true; }
  bool answers() const override { return true; }
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    const bool sampled = std::exchange(sampled_, false);
    const std::size_t number = next_++;
    if (number >= sent_.size() || sent_[number].noise != noise.name() ||
        sent_[number].values.size() != values.size()) {
      differences_.push_back(fmt::format("release {} is not one that the first run made", number + 1));
      return;
    }
    const double ratio = sampled ? 0 : exact_ratio(noise, sent_[number].exact, exact.answers.front());
    if (!(ratio <= 1))
      differences_.push_back(fmt::format(
          "the exact answers of release {} are {:.3g} times its sensitivity apart", number + 1, ratio));
    values = sent_[number].values;
  }

  void report(std::vector<std::string>& differences) const {
    differences.insert(differences.end(), differences_.begin(), differences_.end());
    if (next_ < sent_.size())
      differences.push_back(fmt::format("{} releases instead of {}", next_, sent_.size()));
    for (const auto& [site, replay] : sites_) replay->report(differences);
  }

 private:
  SentRecord& record_;
  const std::vector<Sent>& sent_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<ReplayOfSent>> sites_;
  std::size_t next_ = 0;
  bool sampled_ = false;
  std::vector<std::string> differences_;
};

// While this object lives, every curator that is opened has this witness.
class WatchAll {
 public:
  explicit WatchAll(Witness& witness) { AuditedCurator::watch_all(&witness); }
  ~WatchAll() { AuditedCurator::watch_all(nullptr); }
  WatchAll(const WatchAll&) = delete;
  WatchAll& operator=(const WatchAll&) = delete;
};

std::string without_owner_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);)
    if (line.find(kForTheOwner) == std::string::npos) kept += line + '\n';
  return kept;
}

std::string without_owner_parts(const std::string& text) {
  Json report = try_parse_json(text);
  if (report.is_discarded() || !report.is_object() || !report.contains("owner_only"))
    return without_owner_lines(text);
  const Json owner = report["owner_only"];
  for (const Json& field : owner.at("fields")) report.erase(field.get<std::string>());
  return json_text(report, 2);
}

void compare(const std::string& what, const std::string& first, const std::string& second,
             std::vector<std::string>& differences) {
  if (first == second) return;
  const auto [one, other] = std::ranges::mismatch(first, second);
  const auto place = static_cast<std::size_t>(one - first.begin());
  const std::size_t begin = place - std::min<std::size_t>(place, 20);
  differences.push_back(fmt::format("{} differs at byte {} of {} and {}: '{}' against '{}'", what, place,
                                    first.size(), second.size(), first.substr(begin, 60),
                                    second.substr(begin, 60)));
}

}  // namespace

CommandOutput without_owner_parts(CommandOutput published) {
  published.output = without_owner_parts(published.output);
  published.errors = without_owner_lines(published.errors);
  for (auto& [name, bytes] : published.files)
    if (name.ends_with(".html")) bytes = without_owner_sections(std::move(bytes));
  return published;
}

ByteAudit audit_bytes(const RunOnSide& run) {
  SentRecord record;
  CommandOutput first, second;
  {
    const WatchAll watched(record);
    first = without_owner_parts(run(0));
  }
  ByteAudit audit{.releases = record.releases()};
  ReplayOfSent replay(record);
  {
    const WatchAll watched(replay);
    second = without_owner_parts(run(1));
  }
  replay.report(audit.differences);
  if (first.status != second.status)
    audit.differences.push_back(fmt::format("exit status {} against {}", first.status, second.status));
  compare("standard output", first.output, second.output, audit.differences);
  compare("standard error", first.errors, second.errors, audit.differences);
  for (const auto& [name, bytes] : first.files)
    compare(name, bytes, second.files.contains(name) ? second.files.at(name) : "", audit.differences);
  for (const auto& [name, bytes] : second.files)
    if (!first.files.contains(name))
      audit.differences.push_back(name + " is written by the second run alone");
  return audit;
}

}  // namespace tulle
