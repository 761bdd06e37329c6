// The white box: a run's transcript, and its likelihood under each of two data sets.
//
// The run on one data set is recorded. The same method then runs on the other one with every release answered
// as recorded, so that later queries see the same past. Both runs add up the log-likelihood of the transcript
// under their own exact answers; the difference is the most powerful statistic (Neyman and Pearson 1933).
//
// The attacker does not know random numbers that stay private (Curator::map_with_seed): what the recorded run
// computed from them is left out, and the likelihood under either data set is the mean over the same guesses
// at them. If batches stay private too, each guess includes the watched unit's coins.
#pragma once

#include <tulle/audit/subject.hpp>
#include <tulle/privacy/curator.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {

// A friend of Curator: no other code can set a witness.
class AuditedCurator {
 public:
  static void watch(Curator& curator, Witness& witness) { curator.witness_ = &witness; }
  // The witness of every curator made from now on; nullptr: none.
  static void watch_all(Witness* witness) { Curator::witness_of_all_ = witness; }
  // Lets one stream serve many runs: making a stream takes longer than a short run.
  static RandomBits take_bits(Curator& curator) { return *std::move(curator.bits_); }
  static Witness* witness(const Curator& curator) { return curator.witness_; }
  static RandomBits& bits(Curator& curator) { return *curator.bits_; }
  static const std::vector<Record>& records(const Curator& curator) { return curator.records_; }
};

}  // namespace tulle

namespace tulle::attacks {

struct Transcript {
  std::vector<std::vector<double>> releases;
  std::vector<std::vector<std::uint64_t>> batches;  // without the watched unit

  // All values in a row, and for the batches whether the first few units joined.
  std::vector<double> numbers() const;
};

class Recorder : public Witness {
 public:
  explicit Recorder(std::optional<std::uint64_t> watched) : watched_(watched) {}

  std::optional<std::uint64_t> watched_unit() const override { return watched_; }
  void sampled(std::vector<std::uint64_t>& units) override;
  void seeded(std::uint64_t&) override { ++seeds_; }
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override;

  const Transcript& transcript() const { return transcript_; }
  std::size_t seeds() const { return seeds_; }  // number of seeds asked for
  double log_likelihood() const { return log_likelihood_; }

 private:
  std::optional<std::uint64_t> watched_;
  Transcript transcript_;
  std::size_t seeds_ = 0;
  double log_likelihood_ = 0;
};

// The watched unit's number in a data set, if units are sampled and it is there.
using Watched = std::optional<std::uint64_t>;

// A batch of a replay: the recording left out the watched unit, which joins by the coin drawn for it in the
// replay. For batches that stay private (Curator::map); for a release on a batch the witness sees the exact
// answers with and without the unit.
std::vector<std::uint64_t> with_own_coin(std::vector<std::uint64_t> recorded,
                                         const std::vector<std::uint64_t>& drawn, const Watched& watched);

class Player : public Witness {
 public:
  Player(const Transcript& transcript, std::optional<std::uint64_t> watched,
         std::vector<std::uint64_t> seeds = {})
      : transcript_(transcript), watched_(watched), seeds_(std::move(seeds)) {}

  std::optional<std::uint64_t> watched_unit() const override { return watched_; }
  bool answers() const override { return true; }
  void sampled(std::vector<std::uint64_t>& units) override;
  void seeded(std::uint64_t& seed) override;
  void released(const AdditiveNoise& noise, const ExactAnswers& exact, std::vector<double>& values) override;

  // Thrown to end the replay, which needs nothing after the last release, or after a release that this data
  // set would not have made.
  struct Over {};
  double log_likelihood() const;  // -infinity: this data set could not have led there

 private:
  [[noreturn]] void impossible();

  const Transcript& transcript_;
  std::optional<std::uint64_t> watched_;
  std::vector<std::uint64_t> seeds_;
  std::size_t release_ = 0, batch_ = 0, seed_ = 0;
  double log_likelihood_ = 0;
};

// Seeds for each guess at what the attacker does not know; one guess without seeds if a run has none.
std::vector<std::vector<std::uint64_t>> guessed_seeds(std::size_t seeds, RandomBits& bits);

// log of the mean of exp(values).
double log_mean(const std::vector<double>& values);

// Calls run(secret, curator) with a curator made by open_curator(bits). Returns the result on the data set of
// the secret and fills in the white box.
template <class Run, class Open>
auto observe(const Run& run, const Open& open_curator, double secret, RandomBits& bits,
             const Watched& watched_first, const Watched& watched_second, Observation& seen) {
  const bool second = secret >= 0.5;
  Recorder recorder(second ? watched_second : watched_first);
  Curator curator = open_curator(std::move(bits));
  AuditedCurator::watch(curator, recorder);
  auto result = run(secret, curator);
  seen.releases = recorder.transcript().numbers();
  bits = AuditedCurator::take_bits(curator);
  const auto guesses = guessed_seeds(recorder.seeds(), bits);
  const auto log_likelihood = [&](bool on_second) {
    std::vector<double> found;
    for (const std::vector<std::uint64_t>& seeds : guesses) {
      Player player(recorder.transcript(), on_second ? watched_second : watched_first, seeds);
      Curator other = open_curator(std::move(bits));
      AuditedCurator::watch(other, player);
      try {
        run(on_second ? 1.0 : 0.0, other);
      } catch (const Player::Over&) {
      }
      bits = AuditedCurator::take_bits(other);
      found.push_back(player.log_likelihood());
    }
    return log_mean(found);
  };
  const double own = recorder.seeds() > 0 ? log_likelihood(second) : recorder.log_likelihood();
  const double difference = own - log_likelihood(!second);
  constexpr double kCertain = 1e6;
  // If no guess leads there on either data set, the attacker has learned nothing.
  seen.log_ratio =
      std::isnan(difference) ? 0 : std::clamp(second ? difference : -difference, -kCertain, kCertain);
  return result;
}

}  // namespace tulle::attacks
