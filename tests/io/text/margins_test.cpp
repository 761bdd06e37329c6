#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/margins.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using ::testing::HasSubstr;
using Labels = std::vector<std::string>;

// Three positions with labels that need quotes, two with numbers; one margin was released twice.
NoisyMargins margins() {
  return {{{.name = "a, or b", .labels = {"x", "y,z", "\"q\""}}, {.name = "hour"}},
          Shape{3, 2},
          {{{}, {6.5}, 2.25, "discrete Laplace"},
           {{}, {7}, 1, "discrete Laplace"},
           {{1}, {0.1 + 0.2, -3}, 2, "Gaussian"},
           {{0, 1}, {1, 2, 3, 4, 5, 6}, 0.5, "Gaussian"}}};
}

TEST(Margins, ComeBackAsTheyWereWritten) {
  const TemporaryFolder folder;
  for (const char* name : {"margins.csv", "margins.tsv"}) {
    const std::string path = folder / name;
    write_margins(path, margins());
    const NoisyMargins back = read_margins(path), wanted = margins();
    EXPECT_EQ(back.modes, wanted.modes);
    EXPECT_EQ(back.shape, wanted.shape);
    ASSERT_EQ(back.margins.size(), wanted.margins.size());
    for (std::size_t i = 0; i < wanted.margins.size(); ++i) {
      EXPECT_EQ(back.margins[i].modes, wanted.margins[i].modes);
      EXPECT_EQ(back.margins[i].values, wanted.margins[i].values);
      EXPECT_EQ(back.margins[i].stddev, wanted.margins[i].stddev);
      EXPECT_EQ(back.margins[i].noise, wanted.margins[i].noise);
    }
  }
}

TEST(Margins, HaveTheirCellsInAnyOrder) {
  const TemporaryFolder folder;
  const NoisyMargins table = read_margins(
      folder.write("margins.csv",
                   "a,b,release,count,stddev,noise\n,v,,3,1,Gaussian\nx,v,,4,2,Gaussian\ny,u,,7,2,Gaussian\n"
                   "\n,u,,5,1,Gaussian\nx,u,,6,2,Gaussian\ny,v,,8,2,Gaussian\n"));
  EXPECT_EQ(table.modes[0].labels, (Labels{"x", "y"}));
  EXPECT_EQ(table.modes[1].labels, (Labels{"v", "u"}));
  ASSERT_EQ(table.margins.size(), 2u);
  EXPECT_EQ(table.margins[0].values, (std::vector<double>{3, 5}));
  EXPECT_EQ(table.margins[1].values, (std::vector<double>{4, 6, 8, 7}));
}

TEST(Margins, OfSingleCellsAreWrittenAtTheirPlaces) {
  const TemporaryFolder folder;
  NoisyMargins table = margins();
  table.margins = {{{0, 1}, {9, 8}, 1, "discrete Laplace, values from 8 on", {1, 5}}};
  write_margins(folder / "cells.csv", table);
  EXPECT_THAT(folder.read("cells.csv"),
              HasSubstr("x,2,1,9,1,\"discrete Laplace, values from 8 on\"\n\"\"\"q\"\"\",2,1,8,"));
}

TEST(Margins, ThatMakeNoSenseAreRefused) {
  const TemporaryFolder folder;
  const auto refusal = [&](const char* text) {
    const std::string path = folder.write("margins.csv", text);
    return message_of([&] { (void)read_margins(path); });
  };
  const std::string head = "a,b,release,count,stddev,noise\n";
  const auto lines = [&](const char* text) { return refusal((head + text).c_str()); };
  EXPECT_THAT(refusal("a,b,count\nx,y,3\n"), HasSubstr("then release, count, stddev and noise"));
  EXPECT_THAT(refusal("a,release,count,stddev,noise\nx,1,3,1,Gaussian\n"), HasSubstr("2 to 8 modes"));
  EXPECT_THAT(refusal(""), HasSubstr("no margins"));
  EXPECT_THAT(lines("x,u,1,3,1\n"), HasSubstr("margins.csv:2: 5 columns"));
  EXPECT_THAT(lines("x,u,1,many,1,Gaussian\n"), HasSubstr("'many' is no number"));
  EXPECT_THAT(lines("x,u,1,3,0,Gaussian\n"), HasSubstr("above 0"));
  EXPECT_THAT(lines("x,,1,3,1,Gaussian\n"), HasSubstr("no margin lists positions of b"));
  EXPECT_THAT(lines("x,u,1,3,1,Gaussian\ny,u,1,3,2,Gaussian\n"), HasSubstr("a margin has one"));
  EXPECT_THAT(lines("x,u,1,3,1,Gaussian\ny,v,1,3,1,Gaussian\n"),
              HasSubstr("the margin by a, b has 2 values"));
  EXPECT_THAT(lines("x,u,1,3,1,Gaussian\ny,,2,3,1,Gaussian\ny,,2,3,1,Gaussian\n"),
              HasSubstr("list each once"));
}

}  // namespace
}  // namespace tulle
