#include "experiment/sample.hpp"
#include "text_parts.hpp"

#include <tulle/experiment/overview.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

class Overview : public ExperimentFiles {
 protected:
  // One experiment with some points, and one without data.
  std::vector<ExperimentOutcome> outcomes() {
    Experiment experiment = sample();
    experiment.curves[1].printed = {0.5, std::nan("")};
    experiment.metric = "test_rmse";
    experiment.note = "The data are made up.\n";
    const ExperimentTable table{experiment.values,
                                {{{1, 1, 0.125, 0}}, {{1, 3, 0.75, 0.01}, {2.5, 3, 0.5, 0.02}}}};
    Experiment later = sample();
    later.name = "later";
    return {{experiment, table, "", "One run failed.\n"},
            {experiment, {}, "there is no x.tns", ""},
            {later, {experiment.values, {{}, {}}}, "", "6 of its 6 runs are missing.\n"}};
  }
};

TEST_F(Overview, TellsEveryExperimentBesideThePaper) {
  const std::string text = to_text(outcomes());
  for (const char* part : {"sample: A sample", "(paper)       0.5         -", "0.75",
                           "The data are made up.\nOne run failed.", "sample: there is no x.tns"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST_F(Overview, AsATableHasOneLinePerPoint) {
  EXPECT_EQ(to_csv(outcomes()),
            "experiment,metric,curve,x,runs,mean,standard_error,paper\n"
            "sample,test_rmse,\"plain\",1,1,0.125,0,\n"
            "sample,test_rmse,\"input, \"\"noisy\"\"\",1,3,0.75,0.01,0.5\n"
            "sample,test_rmse,\"input, \"\"noisy\"\"\",2.5,3,0.5,0.02,\n");
}

TEST_F(Overview, AsAPageSaysWhatTheFiguresDependOn) {
  const std::string page = to_markdown(outcomes(), {{"Commit", "c0ffee"}});
  for (const char* part : {"- Commit: c0ffee\n", "| epsilon | 1 | 2.5 |", "| plain | 0.125 | 0.125 |",
                           "| 0.75 ± 0.01 | 0.5 ± 0.02 |",
                           "| *the paper* | *0.5* | - |\n\nThe data are made up.\n\nOne run failed.",
                           "Not run: there is no x.tns.", "\n## Not run yet\n\n- later\n"})
    EXPECT_TRUE(has(page, part)) << part << "\n" << page;
  EXPECT_FALSE(has(page, "6 of its 6 runs")) << page;
}

}  // namespace
}  // namespace tulle
