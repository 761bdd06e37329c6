#include "subjects.hpp"

#include <tulle/base/random.hpp>

#include <gtest/gtest.h>

namespace tulle::attacks {
namespace {

AuditEntry one_run_of(const char* method) {
  return entry_of(find_method(method), {.data = CraftedCells{.shape = {6, 6, 6}, .released = true}});
}

ManyCanaries canaries_of(const char* method, double epsilon) {
  return std::get<ManyCanaries>(one_run_of(method).subject({epsilon, 0}));
}

double right(const ManyCanaries& subject, std::uint64_t seed) {
  Random random(seed);
  std::vector<bool> bits(subject.canaries);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = random.chance(0.5);
  const std::vector<double> scores = subject.run(bits, seed);
  double count = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) count += (scores[i] > 0) == bits[i];
  return count / static_cast<double>(bits.size());
}

TEST(OneRun, EveryCellIsACanary) {
  const AuditEntry entry = one_run_of("one-shot");
  EXPECT_EQ(entry.trials, 216u);
  const ManyCanaries subject = std::get<ManyCanaries>(entry.subject({1, 0}));
  EXPECT_EQ(subject.canaries, 216u);
  EXPECT_TRUE(subject.white_box);
  EXPECT_NEAR(subject.account().used.epsilon, 1, 1e-6);
}

// Where cells are released one by one with little noise, the scores say every bit.
TEST(OneRun, ReadsCellsOffTheirReleases) {
  EXPECT_GT(right(canaries_of("input", 200), 1), 0.99);
}

// At epsilon 0.01 there is next to nothing to read: within 5 standard deviations of half plus what epsilon
// allows (6e-7).
TEST(OneRun, ReadsNothingFromNoise) {
  EXPECT_NEAR(right(canaries_of("input", 0.01), 1), 0.5, 0.0025 + 5 * 0.034);
}

}  // namespace
}  // namespace tulle::attacks
