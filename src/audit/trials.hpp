// Runs of a subject on neighbours chosen by fair coins, as tables that attackers learn from.
#pragma once

#include <tulle/audit/subject.hpp>

#include <span>

namespace tulle::attacks {

// The values of every trial in one view; shorter trials are padded with zeros.
class View {
 public:
  View() = default;
  explicit View(const std::vector<std::vector<double>>& rows);

  std::size_t columns() const { return columns_; }
  std::span<const double> row(std::size_t trial) const {
    return std::span(numbers_).subspan(trial * columns_, columns_);
  }

 private:
  std::size_t columns_ = 0;
  std::vector<double> numbers_;
};

struct Trials {
  std::vector<std::uint8_t> bits;  // which neighbour was used
  View output, releases;
  std::vector<double> log_ratios;  // empty: unknown

  std::size_t size() const { return bits.size(); }
};

Trials run_trials(const Subject& subject, std::uint64_t trials, std::uint64_t seed);

// Calls body(i, bits) for 0 .. count-1, several at a time, with streams determined by the seed; rethrows a
// failure when all are done.
void run_with_bits(std::size_t count, std::uint64_t seed,
                   const std::function<void(std::size_t, RandomBits&)>& body);

// A part of the trials: first .. last-1.
struct Part {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};

}  // namespace tulle::attacks
