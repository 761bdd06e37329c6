#include "formats.hpp"

#include "expect_error.hpp"

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
  for (const std::string& name : format_names()) EXPECT_EQ(traits(format_of("x." + name)).name, name);
}

// Whoever adds one to the enumeration adds a row.
TEST(Format, EveryFormatHasARow) {
  EXPECT_EQ(formats().size(), static_cast<std::size_t>(Format::mat) + 1);
  for (std::size_t place = 0; place < formats().size(); ++place)
    EXPECT_EQ(&row_of(static_cast<Format>(place)), &formats()[place]);
}

// Public facts of data follow from these.
TEST(Format, SaysWhatPositionsAreCalledByAndWhatShowsTheShape) {
  for (Format format : {Format::csv, Format::tsv}) EXPECT_TRUE(traits(format).has_columns());
  EXPECT_EQ(traits(Format::npz).naming, Naming::either);
  for (Format format : {Format::tns, Format::mtx, Format::npy, Format::mat})
    EXPECT_EQ(traits(format).naming, Naming::numbers);
  for (Format format : {Format::tns, Format::csv, Format::tsv}) EXPECT_FALSE(traits(format).states_shape);
  for (Format format : {Format::mtx, Format::npy, Format::npz, Format::mat})
    EXPECT_TRUE(traits(format).states_shape);
}

}  // namespace
}  // namespace tulle
