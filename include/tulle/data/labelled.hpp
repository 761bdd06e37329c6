// Examples with labels: what a classifier is made from and judged by.
#pragma once

#include <tulle/tensor/float_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Where the classes, the number of values and the size of images come from: the examples, one of which may be
// all there is of a class, or the owner. A private run takes what the owner states.
enum class FactsFrom { examples, owner };

struct LabelledExamples {
  FloatMatrix values;                // a row per example
  std::vector<int> labels;           // 0 .. classes - 1
  std::vector<std::string> classes;  // their names
  int height = 0, width = 0;         // where examples are images; else 0
  std::size_t moved_labels = 0;      // that the file has outside of the classes, and the nearest one replaced
  FactsFrom facts = FactsFrom::examples;

  std::size_t size() const { return labels.size(); }
  LabelledExamples rows(const std::vector<std::size_t>& which) const;
};

// An Error where there are no examples, or a label is outside the classes.
void check(const LabelledExamples& examples);

// The first `fraction` of a shuffled list, rounded to whole examples, and the rest.
std::pair<LabelledExamples, LabelledExamples> split_examples(const LabelledExamples& all, double fraction,
                                                             std::uint64_t seed);

// Each example by itself: in the first part with probability `fraction`, by a hash of its values and its
// label. One more example, or one less, does not move another: what a private run under add-remove needs.
std::pair<LabelledExamples, LabelledExamples> split_each_example(const LabelledExamples& all, double fraction,
                                                                 std::uint64_t seed);

}  // namespace tulle

#pragma GCC visibility pop
