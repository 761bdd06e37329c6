#include <tulle/job/owner_notes.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

CompletionData data_of(std::vector<float> values) {
  SparseTensor cells(Shape{2, 4}, Unlisted::missing);
  for (Index i = 0; i < values.size(); ++i) cells.append(std::vector<Index>{i % 2, i / 2}, values[i]);
  return {.modes = unnamed_modes(2), .train = std::move(cells)};
}

CompletionJob private_job(double delta) {
  CompletionJob job{.method = "als"};
  job.terms.budget = {1, delta};
  job.terms.range = {1, 5};
  return job;
}

TEST(OwnerNotes, AreNoneWhereAllIsWell) {
  EXPECT_TRUE(owner_notes(private_job(1e-3), data_of({1, 2, 5, 4})).empty());
}

TEST(OwnerNotes, CountWhatWasClampedDroppedAndMerged) {
  CompletionData data = data_of({0, 2, 9, 4});
  data.dropped = 7;
  data.merged_rows = 3;
  data.duplicates = Duplicates::sum;
  data.test = SparseTensor(Shape{2, 4}, Unlisted::missing);
  EXPECT_EQ(owner_notes(private_job(0), data),
            (std::vector<std::string>{
                "3 rows list a cell that an earlier row lists; rows of one cell are merged into their sum.",
                "No cell was held out.",
                "2 of the values (50 %) lie outside of the range 1:5 and were clamped to it.",
                "7 entries lie at positions that are not public, and do not count."}));
}

TEST(OwnerNotes, CompareDeltaWithTheNumberOfUnits) {
  CompletionJob job = private_job(0.3);
  EXPECT_EQ(owner_notes(job, data_of({1, 2, 3, 4})),
            std::vector<std::string>{
                "Delta 0.3 is not below 1/4, one over the number of cells: keep it far below that."});
  job.terms.unit = Unit::user;
  job.terms.user_mode = 0;
  EXPECT_TRUE(owner_notes(job, data_of({1, 2, 3, 4})).empty());
}

TEST(OwnerNotes, OfAPlainRunAreAboutTheFileAlone) {
  const CompletionJob job{.method = "plain"};
  EXPECT_TRUE(owner_notes(job, data_of({0, 99})).empty());
}

}  // namespace
}  // namespace tulle
