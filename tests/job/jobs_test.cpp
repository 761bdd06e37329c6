#include "job/some_job.hpp"

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using samples::private_job;
using samples::some_cells;

TEST(CompletionJob, TheAuditorsRunIsTheCommandsRun) {
  const CompletionJob job = private_job();
  Curator curator = job.open(RandomBits::seeded(3));
  const Completion audited = job.run(some_cells(), curator);
  const Completion shipped = job.run(some_cells());
  EXPECT_EQ(reconstruct(audited.model), reconstruct(shipped.model));
  EXPECT_EQ(to_json(audited.guarantee), to_json(shipped.guarantee));
}

// A guarantee that is proven must not be given for a form that proves nothing.
TEST(CompletionJob, TheCuratorIsForTheFormThatRuns) {
  CompletionJob job = private_job();
  Curator sound = job.open(RandomBits::seeded(3));
  job.terms.calibration = Calibration::published;
  EXPECT_THROW(job.run(some_cells(), sound), UsageError);
  Curator published = job.open(RandomBits::seeded(3));
  job.terms.calibration = Calibration::sound;
  EXPECT_THROW(job.run(some_cells(), published), UsageError);
}

TEST(CompletionJob, AsksForPaymentBeforeTheFirstRelease) {
  int asked = 0;
  const auto pay = [&](const Curator&) {
    ++asked;
    fail("no money");
  };
  EXPECT_THROW(private_job().run(some_cells(), pay), Error);
  EXPECT_EQ(asked, 1);
}

TEST(CompletionJob, APrivateOneTakesNoValidationData) {
  const SparseTensor cells = some_cells();
  EXPECT_THROW(private_job().run(cells, {}, &cells), UsageError);
}

}  // namespace
}  // namespace tulle
