#include "data/expect_error.hpp"

#include <tulle/data/labelled.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace tulle {
namespace {

LabelledExamples numbered_examples(int count) {
  LabelledExamples all{FloatMatrix(count, 1), {}, {"even", "odd"}, 0, 0};
  for (int row = 0; row < count; ++row) {
    all.values(row, 0) = static_cast<float>(row);
    all.labels.push_back(row % 2);
  }
  return all;
}

TEST(LabelledExamples, AreSplitIntoPartsThatKeepTheirLabels) {
  const auto [first, rest] = split_examples(numbered_examples(10), 0.8, 1);
  EXPECT_EQ(first.size(), 8u);
  EXPECT_EQ(rest.size(), 2u);
  std::set<float> seen;
  for (const LabelledExamples* part : {&first, &rest})
    for (std::size_t row = 0; row < part->size(); ++row) {
      const float value = part->values(static_cast<Eigen::Index>(row), 0);
      EXPECT_EQ(part->labels[row], static_cast<int>(value) % 2);
      seen.insert(value);
    }
  EXPECT_EQ(seen.size(), 10u);
}

TEST(LabelledExamples, AreSplitBySeed) {
  const auto order = [](std::uint64_t seed) {
    return split_examples(numbered_examples(40), 0.5, seed).first.labels;
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
}

TEST(LabelledExamples, AreSplitEachByItself) {
  LabelledExamples all = numbered_examples(200), less = all;
  std::vector<std::size_t> others(199);
  std::iota(others.begin(), others.end(), std::size_t{1});
  less = all.rows(others);  // without the first
  const auto values = [](const LabelledExamples& part) {
    return std::set<float>(part.values.reshaped().begin(), part.values.reshaped().end());
  };
  const auto [first, rest] = split_each_example(all, 0.7, 3);
  const auto [first_of_less, rest_of_less] = split_each_example(less, 0.7, 3);
  EXPECT_NEAR(static_cast<double>(first.size()), 140, 35);  // five deviations
  EXPECT_EQ(first.size() + rest.size(), 200u);
  for (const auto& [part, without] :
       {std::pair{values(first), values(first_of_less)}, {values(rest), values(rest_of_less)}}) {
    std::set<float> shared = part;
    shared.erase(0);
    EXPECT_EQ(shared, without);
  }
}

TEST(LabelledExamples, HaveLabelsOfTheirClasses) {
  LabelledExamples all = numbered_examples(3);
  EXPECT_NO_THROW(check(all));
  all.labels[2] = 2;
  expect_error([&] { check(all); }, "example 3: label 2 is outside 0..1");
  all.labels.pop_back();
  expect_error([&] { check(all); }, "3 examples, but 2 labels");
  expect_error([&] { check(LabelledExamples{}); }, "no examples");
}

}  // namespace
}  // namespace tulle
