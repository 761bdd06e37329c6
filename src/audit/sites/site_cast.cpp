#include "site_cast.hpp"

#include "subjects.hpp"

#include <tulle/audit/exact.hpp>
#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>
#include <tulle/job/topics/site_topics.hpp>

#include <cmath>
#include <condition_variable>
#include <mutex>

namespace tulle::attacks {
namespace {

// The answers to the watched site, release by release, for the other sites to continue with.
class Answers {
 public:
  void put(const std::vector<double>& values) {
    const std::scoped_lock lock(mutex_);
    values_.push_back(values);
    changed_.notify_all();
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  std::vector<double> wait_for(std::size_t release) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || values_.size() > release; });
    if (values_.size() <= release) fail("the watched site has stopped");
    return values_[release];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<double>> values_;
  bool closed_ = false;
};

// Holds the last message that a site with this witness sent, and all that it handed out.
struct Wire {
  std::vector<std::uint64_t> message;
  std::vector<Curator::Bytes> handed = {};
};

// Whether the noise is of a sum over sites; all others are releases of one site.
bool is_shared(const AdditiveNoise& noise) {
  return std::holds_alternative<GaussianRelease>(noise.event().mechanism());
}

std::vector<std::uint64_t> difference(const std::vector<std::uint64_t>& a,
                                      const std::vector<std::uint64_t>& b) {
  std::vector<std::uint64_t> result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] - b[i];
  return result;
}

// Witness at the watched site: passes everything on to the auditor's witness, and answers to the other sites.
class Relay : public Witness {
 public:
  Relay(Witness* inner, const Curator& curator, const SharingSites& sharing, Answers& answers,
        const Wire& wire, SiteMessages& messages)
      : inner_(inner),
        curator_(curator),
        sharing_(sharing),
        answers_(answers),
        wire_(wire),
        messages_(messages) {}

  std::optional<std::uint64_t> watched_unit() const override {
    return inner_ ? inner_->watched_unit() : std::nullopt;
  }
  bool answers() const override { return inner_ && inner_->answers(); }
  void sampled(std::vector<std::uint64_t>& units) override {
    if (inner_) inner_->sampled(units);
  }
  void seeded(std::uint64_t& seed) override {
    if (inner_) inner_->seeded(seed);
  }
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    if (is_shared(noise)) {
      const std::string& what = AuditedCurator::records(curator_).back().what;
      const SharedNoise shares(noise, sharing_, what);
      messages_.watched.push_back({what, noise, shares, shares.message(exact.answers.front(), nullptr),
                                   wire_.message, exact.answers.size() > 1});
    }
    if (inner_) inner_->released(noise, exact, values);
    answers_.put(values);
  }

 private:
  Witness* inner_;
  const Curator& curator_;
  SharingSites sharing_;
  Answers& answers_;
  const Wire& wire_;
  SiteMessages& messages_;
};

// Witness at every other site.
class Follower : public Witness {
 public:
  Follower(bool adds_noise, bool replayed, const SharingSites& sharing, Answers& answers, const Wire& wire)
      : adds_noise_(adds_noise && !replayed),
        replayed_(replayed),
        sharing_(sharing),
        answers_(answers),
        wire_(wire) {}

  std::optional<std::uint64_t> watched_unit() const override { return std::nullopt; }
  void sampled(std::vector<std::uint64_t>&) override {}
  bool answers() const override { return !adds_noise_; }
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override {
    if (replayed_) values = answers_.wait_for(release_++);
    if (!adds_noise_ || !is_shared(noise)) return;
    const SharedNoise shares(noise, sharing_, "a release");
    const auto own = difference(wire_.message, shares.message(exact.answers.front(), nullptr));
    drawn.insert(drawn.end(), own.begin(), own.end());
  }

  std::vector<std::uint64_t> drawn;  // noise, in cells

 private:
  bool adds_noise_, replayed_;
  SharingSites sharing_;
  Answers& answers_;
  const Wire& wire_;
  std::size_t release_ = 0;
};

// The same link, recording what passes over it.
Curator::SiteLink recorded(Curator::SiteLink link, Wire& wire) {
  return {link.sharing,
          [sum = std::move(link.sum), &wire](const std::vector<std::uint64_t>& own) {
            wire.message = own;
            return sum(own);
          },
          link.site,
          [hand_out = std::move(link.hand_out), &wire](const Curator::Bytes& own) {
            wire.handed.push_back(own);
            return hand_out(own);
          }};
}

// What the sites run, each with a curator that has joined the others. A server's number comes after theirs.
struct SiteProgram {
  AuditedSites sites;
  bool sends_entries = false;
  std::function<Curator(RandomBits)> open;
  std::function<void(int site, Curator&)> run;
};

// One run of all sites.
class SitesUnderAudit {
 public:
  SitesUnderAudit(const SiteProgram& program, Curator& curator, SiteMessages& messages)
      : program_(program),
        terms_(program.sites.sum_terms()),
        curator_(curator),
        witness_(AuditedCurator::witness(curator)),
        messages_(messages) {
    // The other sites send the same own values in all runs: the attacker may know them.
    const std::uint64_t seed = program_.sends_entries ? 1 : AuditedCurator::bits(curator).word();
    for (int site = 0; site < terms_.parties + terms_.server; ++site) {
      RandomBits all = RandomBits::seeded(seed);  // as every site makes it by itself
      bits_.push_back(bits_of_site(all, site));
    }
  }

  void run() {
    const int watched = program_.sites.watched;
    const EmbeddedEnds ends = run_embedded(terms_, [&](Party& party) {
      if (party.rank() == watched)
        run_watched(party);
      else
        run_other(party);
    });
    if (ends.failures[static_cast<std::size_t>(watched)])
      std::rethrow_exception(ends.failures[static_cast<std::size_t>(watched)]);
    if (ends.first) std::rethrow_exception(ends.first);
  }

 private:
  // Sites known to the attacker come first, then those that may drop out.
  bool adds_noise(int site) const {
    const int number = site < program_.sites.watched ? site : site - 1;  // number among the other sites
    return number >= terms_.parties - program_.sites.honest();
  }

  Curator::SiteLink link_of(Party& party, Wire& wire) const {
    return recorded(link_over(party, terms_, program_.sites.stated.overlap), wire);
  }

  void run_watched(Party& party) {
    Wire wire;
    Curator::SiteLink link = link_of(party, wire);
    Relay relay(witness_, curator_, link.sharing, answers_, wire, messages_);
    AuditedCurator::watch(curator_, relay);
    try {
      curator_.join_sites(std::move(link));
      program_.run(party.rank(), curator_);
      messages_.handed = std::move(wire.handed);
    } catch (...) {
      answers_.close();
      throw;
    }
    answers_.close();
  }

  void run_other(Party& party) {
    Wire wire;
    Curator::SiteLink link = link_of(party, wire);
    const bool with_noise = !party.is_server() && (program_.sends_entries || adds_noise(party.rank()));
    Follower follower(with_noise, !program_.sends_entries && witness_ && witness_->answers(), link.sharing,
                      answers_, wire);
    Curator curator = program_.open(std::move(bits_[static_cast<std::size_t>(party.rank())]));
    AuditedCurator::watch(curator, follower);
    curator.join_sites(std::move(link));
    program_.run(party.rank(), curator);
    const std::scoped_lock lock(mutex_);
    if (!follower.drawn.empty()) messages_.noise[party.rank()] = std::move(follower.drawn);
  }

  const SiteProgram& program_;
  SumTerms terms_;
  Curator& curator_;
  Witness* witness_;
  SiteMessages& messages_;
  std::vector<RandomBits> bits_;
  Answers answers_;
  std::mutex mutex_;
};

// What the watched site has at the end, where run(site, curator) is the program of all.
template <class Run>
auto outcome_of(SiteProgram program, const Run& run, Curator& curator, SiteMessages* messages) {
  SiteMessages unread;
  std::optional<decltype(run(0, curator))> outcome;
  program.run = [&](int site, Curator& of_site) {
    auto own = run(site, of_site);
    if (site == program.sites.watched) outcome = std::move(own);
  };
  SitesUnderAudit(program, curator, messages ? *messages : unread).run();
  return std::move(*outcome);
}

// Both runs of a pair, of which the second is a replay.
template <class Job, class Run>
NeighbouringPair pair_of(const Job& job, const AuditedSites& sites, Run run) {
  const auto sent = std::make_shared<SiteMessages>();  // by the first run
  return {.text = job.method,
          .open = [job](RandomBits bits) { return job.open(std::move(bits)); },
          .run =
              [sites, sent, run = std::move(run)](bool other, Curator& curator) {
                SiteMessages messages;
                Published all = published(run(other, curator, &messages));
                if (!other)
                  *sent = std::move(messages);
                else
                  for (std::string& leak : leaks_of(sites, *sent, messages))
                    all.lines.push_back(std::move(leak));
                return all;
              },
          .watched = {}};
}

double length_of(const std::vector<double>& values) {
  long double squares = 0;
  for (double value : values) squares += static_cast<long double>(value) * static_cast<long double>(value);
  return static_cast<double>(std::sqrt(squares));
}

}  // namespace

CompletionJob SiteCast::job_at(int site) const {
  CompletionJob own = on_crafted_data(job, tables.front().shape());
  if (!couplings.empty()) own.fit.coupling = couplings[static_cast<std::size_t>(site)];
  return own;
}

Completion run_over_sites(const SiteCast& cast, SparseTensor own, Curator& curator, SiteMessages* messages) {
  const auto run = [&](int site, Curator& of_site) {
    if (site == cast.watched) return cast.job_at(site).run(std::move(own), of_site);
    if (site == cast.sites().sites)  // the server
      return cast.job_at(0).run(SparseTensor(cast.tables.front().shape(), Unlisted::missing), of_site);
    return cast.job_at(site).run(cast.tables[static_cast<std::size_t>(site)], of_site);
  };
  const auto open = [&](RandomBits bits) { return cast.job.open(std::move(bits)); };
  return outcome_of({cast.sites(), cast.job.found().over_sites == OverSites::entries, open, {}}, run, curator,
                    messages);
}

TopicOutcome run_over_sites(const TopicJob& job, const TopicData& data, int watched, Curator& curator,
                            SiteMessages* messages) {
  const std::vector<TopicData> parts = data_of_sites(data);
  const auto run = [&](int site, Curator& of_site) {
    return job.run(parts[static_cast<std::size_t>(site)], of_site);
  };
  const auto open = [&](RandomBits bits) { return job.open(std::move(bits)); };
  const AuditedSites sites{*job.terms.sites, static_cast<int>(parts.size()), watched};
  return outcome_of({sites, false, open, {}}, run, curator, messages);
}

std::vector<std::string> leaks_of(const AuditedSites& sites, const SiteMessages& first,
                                  const SiteMessages& second) {
  std::vector<std::string> leaks;
  std::map<int, std::vector<std::uint64_t>> noise = first.noise;
  for (const SentByWatched& sent : first.watched) {
    const auto own = difference(sent.message, sent.exact);
    if (!sent.sampled) noise[sites.watched].insert(noise[sites.watched].end(), own.begin(), own.end());
  }
  for (auto one = noise.begin(); one != noise.end(); ++one)
    for (auto other = std::next(one); other != noise.end(); ++other)
      if (!one->second.empty() && one->second == other->second)
        leaks.push_back(fmt::format("sites {} and {} add the same noise", one->first + 1, other->first + 1));
  if (first.handed != second.handed)
    leaks.emplace_back("a site hands out what does not follow from its releases");
  const std::size_t releases = std::min(first.watched.size(), second.watched.size());
  for (std::size_t i = 0; i < releases; ++i) {
    const SentByWatched& sent = first.watched[i];
    if (sent.sampled) continue;
    const auto multiplier = std::get<GaussianRelease>(sent.noise.event().mechanism()).noise_multiplier;
    // A user at several sites may change the message of each by this much.
    const double apart = length_of(sent.shares.values(difference(sent.exact, second.watched[i].message))) *
                         multiplier * sites.stated.overlap;
    const double hidden = sent.shares.deviation(static_cast<std::size_t>(sites.honest()));
    if (apart > hidden * (1 + 0x1p-50))
      leaks.push_back(
          fmt::format("the messages of '{}' are {:.9g} times as far apart as the honest sites' noise is made "
                      "for",
                      sent.what, apart / hidden));
  }
  return leaks;
}

NeighbouringPair neighbouring_pair(const SiteCast& cast, SparseTensor first, SparseTensor second,
                                   std::optional<std::uint64_t> watched_unit) {
  NeighbouringPair pair = pair_of(cast.job, cast.sites(),
                                  [cast, first = std::move(first), second = std::move(second)](
                                      bool other, Curator& curator, SiteMessages* messages) {
                                    return run_over_sites(cast, other ? second : first, curator, messages);
                                  });
  pair.watched = watched_unit;
  return pair;
}

NeighbouringPair neighbouring_pair(const TopicJob& job, TopicData first, TopicData second, int watched) {
  const auto sites = static_cast<int>(std::visit([](const auto& data) { return data.sites.size(); }, first));
  return pair_of(job, {*job.terms.sites, sites, watched},
                 [job, watched, first = std::move(first), second = std::move(second)](
                     bool other, Curator& curator, SiteMessages* messages) {
                   return run_over_sites(job, other ? second : first, watched, curator, messages);
                 });
}

}  // namespace tulle::attacks
