#include <tulle/base/error.hpp>
#include <tulle/data/measurement.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace tulle {
namespace {

Measurement sample() {
  Cells cells(Shape{2, 3});
  for (Index j = 0; j < 3; ++j) cells.append(std::array<Index, 2>{0, j});
  Release release{.id = "entries",
                  .what = "every entry",
                  .noise = "Laplace",
                  .events = {Event::pure(1)},
                  .values = {1, 2},
                  .deviation = 0.5,
                  .typical = 0.25,
                  .units = {0, 2},
                  .window = 0.1,
                  .clipped = {0, 1}};
  return {
      .method = "one-shot", .shape = {2, 3}, .positions = cells, .low = 0, .high = 1, .releases = {release}};
}

TEST(Measurement, FindsItsReleases) {
  const Measurement measured = sample();
  EXPECT_TRUE(measured.has("entries"));
  EXPECT_FALSE(measured.has("mean"));
  EXPECT_EQ(&measured.find("entries", 2), &measured.releases[0]);
  EXPECT_THROW(measured.find("entries", 3), Error);
  EXPECT_THROW(measured.find("mean", 2), Error);
  EXPECT_EQ(measured.all("entries").size(), 1u);
}

// Averaged over values, the same deviation may be rounded up.
TEST(Measurement, MayRoundATypicalDeviation) {
  Measurement measured = sample();
  measured.releases[0].typical = std::nextafter(measured.releases[0].deviation, 1);
  check(measured);
}

Measurement of_documents() {
  Measurement measured = sample();
  measured.unit = Unit::document;
  measured.shape = {4, 1};
  measured.positions.reset();
  measured.documents = DocumentFacts{5, false};
  measured.releases[0].units.clear();
  return measured;
}

TEST(Measurement, OfDocumentsHasTheirNumberAndTheWords) {
  check(of_documents());
  Measurement none = of_documents();
  none.documents->count = 0;
  EXPECT_THROW(check(none), Error);
  Measurement table = of_documents();
  table.shape = {4, 4};
  EXPECT_THROW(check(table), Error);
}

TEST(Measurement, IsRefusedWhereItsPartsDoNotGoTogether) {
  check(sample());
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::function<void(Measurement&)>> faults = {
      [](Measurement& m) { m.releases.clear(); },
      [](Measurement& m) { m.releases[0].events.clear(); },
      [](Measurement& m) { m.user_mode = 2; },
      [](Measurement& m) {
        m.documents = DocumentFacts{5, false};
      },
      [](Measurement& m) { m.unit = Unit::document; },
      [](Measurement& m) { m.high = m.low; },
      [](Measurement& m) { m.high = std::numeric_limits<double>::infinity(); },
      [](Measurement& m) {
        m.shape = {3, 3};
      },
      [](Measurement& m) { m.positions.reset(); },
      [](Measurement& m) { m.releases[0].values.clear(); },
      [](Measurement& m) { m.releases[0].values[0] = kNone; },
      [](Measurement& m) { m.releases[0].deviation = 0; },
      [](Measurement& m) { m.releases[0].typical = 1; },
      [](Measurement& m) { m.releases[0].window = -1; },
      [](Measurement& m) {
        m.releases[0].units = {2, 0};
      },
      [](Measurement& m) {
        m.releases[0].units = {1, 1};
      },
      [](Measurement& m) {
        m.releases[0].units = {0, 3};
      },
      [](Measurement& m) { m.releases[0].units = {0}; },
      [](Measurement& m) {
        m.releases[0].clipped = {2, 0};
      },
      [](Measurement& m) { m.releases[0].clipped = {1}; },
      [](Measurement& m) { m.releases[0].chosen = {kNone}; },
      [](Measurement& m) { m.releases[0].chosen = {1e101}; },
      [](Measurement& m) { m.releases[0].values[0] = 1e101; },
      [](Measurement& m) { m.releases[0].deviation = m.releases[0].typical = 5e-324; },
      [](Measurement& m) { m.releases[0].values[0] = 1e16; },
      [](Measurement& m) {
        m.releases[0].values = {0, 0};
        m.releases[0].deviation = m.releases[0].typical = 5e-324;
      },
  };
  for (std::size_t i = 0; i < faults.size(); ++i) {
    Measurement broken = sample();
    faults[i](broken);
    EXPECT_THROW(check(broken), Error) << i;
  }
}

}  // namespace
}  // namespace tulle
