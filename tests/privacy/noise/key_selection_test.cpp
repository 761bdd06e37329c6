#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/key_selection.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tulle {
namespace {

struct Terms {
  double epsilon, delta;
  std::uint64_t keys;
};
constexpr Terms kTerms[] = {{1, 1e-6, 1},   {0.1, 1e-9, 1}, {5, 0.01, 1},
                            {30, 1e-12, 1}, {1, 1e-6, 7},   {0.5, 0.9, 2}};

KeySelection selection(const Terms& terms) {
  return KeySelection::of(terms.epsilon, terms.delta, terms.keys);
}

// The table of probabilities ends where a key is shown for certain.
std::uint64_t certain(const KeySelection& keys) {
  std::uint64_t units = 0;
  while (keys.hidden(static_cast<double>(units)) > 0) ++units;
  return units;
}

// In long double, whose rounding is far below the last place of the doubles that are compared.
TEST(KeySelection, OneUnitMoreChangesEachKeyByWhatItsShareAllows) {
  for (const Terms& terms : kTerms) {
    const KeySelection keys = selection(terms);
    const long double epsilon =
        static_cast<long double>(terms.epsilon) / static_cast<long double>(terms.keys);
    const long double delta = static_cast<long double>(terms.delta) / static_cast<long double>(terms.keys);
    const long double most = std::exp(epsilon);
    for (std::uint64_t n = 0; n <= certain(keys); ++n) {
      const auto units = static_cast<double>(n);
      EXPECT_LE(keys.shown(units + 1), most * keys.shown(units) + delta) << n;
      EXPECT_LE(keys.hidden(units), most * keys.hidden(units + 1) + delta) << n;
      EXPECT_LE(keys.shown(units), keys.shown(units + 1));
    }
  }
}

// Desfontaines et al. 2022, theorem 1: the largest that both inequalities allow.
TEST(KeySelection, IsTheOneThatShowsMost) {
  for (const Terms& terms : kTerms) {
    const KeySelection keys = selection(terms);
    const double e = terms.epsilon / static_cast<double>(terms.keys);
    const double d = terms.delta / static_cast<double>(terms.keys);
    double best = 0;
    for (std::uint64_t n = 0; n <= certain(keys) + 1; ++n) {
      EXPECT_NEAR(keys.shown(static_cast<double>(n)), best, 1e-9 * best) << n;
      best = std::min({std::exp(e) * best + d, 1 - std::exp(-e) * (1 - best - d), 1.0});
    }
  }
}

TEST(KeySelection, AKeyOfNoUnitIsNeverShownAndOfOneByDelta) {
  RandomBits bits = RandomBits::seeded(1);
  for (const Terms& terms : kTerms) {
    const KeySelection keys = selection(terms);
    EXPECT_EQ(keys.shown(0), 0);
    EXPECT_EQ(keys.hidden(0), 1);
    EXPECT_LE(keys.shown(1) * static_cast<double>(terms.keys), terms.delta);
    EXPECT_NEAR(keys.shown(1) * static_cast<double>(terms.keys), terms.delta, 1e-12 * terms.delta);
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(keys.shows(0, bits));
    EXPECT_TRUE(keys.shows(1e15, bits));
  }
}

// Of 20,000 coins, within 6 standard deviations of their mean but for 2e-9 each.
TEST(KeySelection, CoinsAreAsLikelyAsIsSaid) {
  const KeySelection keys = KeySelection::of(0.5, 0.01, 1);
  RandomBits bits = RandomBits::seeded(2);
  constexpr int kCoins = 20'000;
  for (std::uint64_t n = 1; n <= certain(keys) + 1; ++n) {
    const auto units = static_cast<double>(n);
    int shown = 0;
    for (int i = 0; i < kCoins; ++i) shown += keys.shows(units, bits) ? 1 : 0;
    const double variance = kCoins * keys.shown(units) * keys.hidden(units);
    EXPECT_NEAR(shown, kCoins * keys.shown(units), 6 * std::sqrt(variance) + 1) << n;
  }
}

// One key that differs by one unit takes all of its delta, and no more; as many as a unit has take all of
// them.
TEST(KeySelection, DeltaBetweenNeighboursIsWhatWasGranted) {
  for (const Terms& terms : kTerms) {
    const KeySelection keys = selection(terms);
    double largest = 0;
    for (std::uint64_t n = 0; n <= certain(keys); ++n) {
      const std::vector<double> units(terms.keys, static_cast<double>(n));
      const std::vector<double> more(terms.keys, static_cast<double>(n) + 1);
      const double needed = keys.delta_between(units, more);
      EXPECT_LE(needed, terms.delta * (1 + 1e-9)) << n;
      EXPECT_EQ(needed, keys.delta_between(more, units));
      largest = std::max(largest, needed);
    }
    if (terms.keys == 1) EXPECT_NEAR(largest, terms.delta, 1e-6 * terms.delta);
  }
  EXPECT_EQ(selection(kTerms[0]).delta_between({}, {}), 0);
  const std::vector<double> none(20, 0), many(20, 1);
  EXPECT_TRUE(std::isinf(selection(kTerms[0]).delta_between(none, many)));
}

// By epsilon 1 and delta 1e-6 a key of 14 units is shown more often than not.
TEST(KeySelection, AnEvenChanceIsWhereDeltaHasGrown) {
  EXPECT_EQ(KeySelection::of(1, 1e-6, 1).even_chance(), 14u);
  EXPECT_GT(KeySelection::of(1, 1e-6, 4).even_chance(), 50u);
}

TEST(KeySelection, NeedsADeltaAndEnoughOfABudget) {
  EXPECT_THROW(KeySelection::of(1, 0, 1), UsageError);
  EXPECT_THROW(KeySelection::of(1, 1.5, 1), UsageError);
  EXPECT_THROW(KeySelection::of(0, 0.1, 1), UsageError);
  EXPECT_THROW(KeySelection::of(1, 1e-6, std::uint64_t{1} << 30), UsageError);
}

// exp(-3000) is 0: a key of two units is shown for certain but for a probability below delta.
TEST(KeySelection, AHugeEpsilonShowsWhatOneUnitMoreLeaves) {
  for (const double epsilon : {100.0, 800.0, 3000.0}) {
    const KeySelection keys = KeySelection::of(epsilon, 1e-6, 1);
    EXPECT_NEAR(keys.shown(1), 1e-6, 1e-15);
    EXPECT_LE(keys.hidden(2), 1e-30);
    EXPECT_LE(certain(keys), 3u);
  }
}

TEST(KeySelection, OfTooSmallADeltaSaysSo) {
  EXPECT_NO_THROW(KeySelection::of(1, 1e-37, 1));
  for (const double delta : {1e-38, 1e-45, 1e-300}) try {
      KeySelection::of(1, delta, 1);
      ADD_FAILURE() << delta;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("delta of"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace tulle
