#include "labelled/label_reader.hpp"

#include "data/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

TEST(LabelReader, LabelsAreWholeNumbersUnlessClassesHaveNames) {
  const LabelledFileOptions options;
  LabelReader reader("file", options);
  EXPECT_EQ(reader.of_number(3, 0), 3);
  EXPECT_EQ(reader.of_text("3.0", 0), 3);
  expect_error([&] { reader.of_number(0.5, 1); },
               "file row 2: label 0.5 is no class; labels are whole numbers");
  expect_error([&] { reader.of_number(1e7, 0); }, "999999 at most");
  // What stands there may be private.
  expect_error([&] { reader.of_text("secret", 0); }, "file row 1: the label is no number; labels are");
}

TEST(LabelReader, LabelsAreNamesOfTheClasses) {
  const LabelledFileOptions options{.known = {"7", "-5", "cat"}};
  LabelReader reader("file", options);
  EXPECT_EQ(reader.of_text("cat", 0), 2);
  EXPECT_EQ(reader.of_text("-5.0", 0), 1);
  EXPECT_EQ(reader.of_number(7, 0), 0);
  expect_error([&] { reader.of_number(0, 0); }, "file row 1: label 0 is none of the classes 7, -5, cat;");
  expect_error([&] { reader.of_text("dog", 4); }, "file row 5: label dog is none of the classes 7, -5, cat;");
}

TEST(LabelReader, NanIsNoClass) {
  const LabelledFileOptions options{.known = {"nan", "1", "0"}};
  LabelReader reader("file", options);
  EXPECT_EQ(reader.of_text("nan", 0), 0);  // the name
  EXPECT_EQ(reader.of_number(0, 0), 2);
  expect_error([&] { reader.of_number(std::nan(""), 0); }, "label nan is none of the classes");
}

TEST(LabelReader, LabelsOfPrivateRunsBecomeTheNearestClass) {
  const LabelledFileOptions options{.classes = 3, .clamped = true, .known = {"0", "1", "2"}};
  LabelReader reader("file", options);
  EXPECT_EQ(reader.of_number(-4, 0), 0);
  EXPECT_EQ(reader.of_text("1.7", 0), 1);
  EXPECT_EQ(reader.of_number(99, 0), 2);
  EXPECT_EQ(reader.of_number(std::nan(""), 0), 0);
  EXPECT_EQ(reader.moved(), 4u);
  EXPECT_EQ(reader.of_number(2, 0), 2);
  EXPECT_EQ(reader.moved(), 4u);
}

}  // namespace
}  // namespace tulle
