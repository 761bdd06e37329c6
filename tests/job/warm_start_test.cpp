#include <tulle/base/error.hpp>
#include <tulle/job/warm_start.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(WarmStart, ComparesLabelsInTheirOrderWherePositionsArePublic) {
  const std::vector<Mode> model = {{"user", {}, true}, {"film", {"Alien", "Brazil"}}};
  EXPECT_NO_THROW(check_same_positions("m.npz", model, {{"user", {}, true}, {"film", {"Alien", "Brazil"}}}));
  EXPECT_NO_THROW(
      check_same_positions("m.npz", model, {{"user", {"ann"}, true}, {"film", {"Alien", "Brazil"}}}));
  EXPECT_THROW(check_same_positions("m.npz", model, {{"user", {}, true}, {"film", {"Brazil", "Alien"}}}),
               Error);
}

TEST(WarmStart, HasThePromiseOfItsFile) {
  const ModelFile file{
      .model = Cp{Vector::Ones(1), {}, {}},
      .guarantee =
          R"({"status": "proven", "reproducible": false, "sentence": "epsilon 1", "unit": "entry", "relation": "replace"})"};
  const Neighbours entries{Unit::entry, Relation::replace};
  EXPECT_NE(warm_start_of(file, "m.npz").source(entries, "").find("a model with epsilon 1 "),
            std::string::npos);
  try {
    static_cast<void>(warm_start_of({.model = file.model}, "m.npz").source(entries, ""));
    FAIL() << "a model without a guarantee";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find("m.npz: the model has no guarantee that holds"), 0u);
  }
}

}  // namespace
}  // namespace tulle
