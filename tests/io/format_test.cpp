#include "io/expect_error.hpp"

#include <tulle/io/read.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(Format, ByTheEnding) {
  EXPECT_EQ(format_of("a.b/x.tns"), Format::tns);
  EXPECT_EQ(format_of("x.csv.gz"), Format::csv);
  EXPECT_EQ(format_of("x.mat"), Format::mat);
  EXPECT_EQ(format_of("-"), Format::tns);
  for (const char* path : {"x", "x.txt", "x.gz", "tns", "x.tns/y", ""})
    EXPECT_MESSAGE(format_of(path), std::string(path) +
                                        ": unknown format; name it .tns, .csv, .tsv, .mtx, .npy, .npz or "
                                        ".mat, or say which of these it is (ReadOptions::format)");
}

TEST(Format, NamesAreEndings) {
  for (auto format :
       {Format::tns, Format::csv, Format::tsv, Format::mtx, Format::npy, Format::npz, Format::mat})
    EXPECT_EQ(format_of("x." + std::string(name(format))), format);
}

}  // namespace
}  // namespace tulle
