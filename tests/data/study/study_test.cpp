#include "data/small_study.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

std::string error_of(const Study& study) {
  try {
    check(study);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Study, RefusesWhatBernoulliLossesCannotBeFittedTo) {
  Study study = matrix_study(small_counts(Unlisted::missing), 1, 2);
  study.tables[0].divergence = Bernoulli{};
  study.tables[0].data.values()[0] = 2;
  EXPECT_NE(error_of(study).find("divergence bernoulli is not defined for values above 1"),
            std::string::npos);
  for (float& value : study.tables[0].data.values()) value = 1;
  EXPECT_EQ(error_of(study), "");
  EXPECT_FALSE(study.is_positive());
  study.priors[0] = GammaPrior{};
  EXPECT_NE(error_of(study).find("relation X: divergence bernoulli needs log odds of any sign"),
            std::string::npos);
}

TEST(Study, CountsTheCellsThatHaveAValue) {
  Study study = matrix_study(small_counts(Unlisted::missing), 1, 2);
  EXPECT_EQ(study.tables[0].observed_cells(), study.tables[0].data.size());
  study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  EXPECT_EQ(study.tables[0].observed_cells(), 20);
  study.tables[0].hidden = Cells(Shape{5, 4}, {{0, 1}, {0, 0}});
  EXPECT_EQ(study.tables[0].observed_cells(), 18);
}

TEST(Study, RefusesDataThatTheirDivergenceIsNotDefinedFor) {
  EXPECT_EQ(error_of(matrix_study(small_counts(Unlisted::zero), 1, 2)), "");
  Study study = matrix_study(small_counts(Unlisted::missing), 1, 2);
  study.tables[0].data.values()[2] = -1;  // of the second row, the fourth column
  EXPECT_EQ(study.tables[0].data.column(0)[2], 1u);
  EXPECT_EQ(study.tables[0].data.column(1)[2], 3u);
  EXPECT_EQ(
      error_of(study),
      "relation X: user 2, place 4 is -1, and divergence kl is not defined for negative values; take another "
      "divergence or other data");
  study.tables[0].divergence = beta_divergence(0);
  EXPECT_EQ(error_of(study), "");
  for (float value : {INFINITY, -INFINITY, NAN}) {
    study.tables[0].data.values()[2] = value;
    EXPECT_EQ(
        error_of(study),
        fmt::format("relation X: user 2, place 4 is {}, and divergence euclidean is not defined for values "
                    "that are not finite; take another divergence or other data",
                    value));
  }
  study = matrix_study(small_counts(Unlisted::missing), 2, 2);
  study.tables[0].data.values()[0] = 0;
  EXPECT_EQ(error_of(study),
            "relation X: user 2, place 1 is 0, and divergence itakura-saito is not defined for zeros; state "
            "a floor "
            "above 0 for such values");
  study.tables[0].floor = 0.01;
  EXPECT_EQ(error_of(study), "");
  EXPECT_NE(error_of(matrix_study(small_counts(Unlisted::zero), 2, 2)).find("unlisted cells are zeros"),
            std::string::npos);
}

TEST(Study, RefusesTablesOfAnotherShape) {
  Study study = matrix_study(small_counts(Unlisted::zero), 1, 2);
  study.model.axes[0].size = 6;
  EXPECT_EQ(error_of(study), "relation X: the data are 5x4, but the model of X is 6x4");
}

}  // namespace
}  // namespace tulle
