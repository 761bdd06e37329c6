// Labelled examples, which train and test classifiers.
#pragma once

#include <tulle/tensor/float_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The source of the classes, the number of values and the size of images: the examples, one of which may be
// the only one of its class, or the owner. A private run uses what the owner states.
enum class FactsFrom { examples, owner };

// A column of a table whose values are one of the public labels. It stands for a value per label, 1 where the
// column has the label, else 0; a value that is none of them is 0 for all.
struct CategoricalColumn {
  std::string column;  // its name in the header, or its number from 1
  std::vector<std::string> labels;
};

// A value of an example of a table: "age", or "colour=red" of a categorical column.
struct ExampleValue {
  std::string name;
  bool categorical = false;
};

struct LabelledExamples {
  FloatMatrix values;                // one row per example
  std::vector<int> labels;           // 0 .. classes - 1
  std::vector<std::string> classes;  // their names
  int height = 0, width = 0;         // size in pixels if examples are images; else 0
  std::size_t moved_labels = 0;      // labels in the file outside the classes, each replaced by one of these
  // Values of categorical columns, and those of them that are in no list, of which two are named.
  std::size_t categorical = 0, unlisted = 0;
  std::vector<std::string> unlisted_examples = {};
  std::vector<ExampleValue> columns = {};  // of a table, what each value is of
  FactsFrom facts = FactsFrom::examples;

  std::size_t size() const { return labels.size(); }
  LabelledExamples rows(const std::vector<std::size_t>& which) const;
};

// An Error if there are no examples, or a label is outside the classes.
void check(const LabelledExamples& examples);

// The first `fraction` of a shuffled list, rounded to whole examples, and the rest.
std::pair<LabelledExamples, LabelledExamples> split_examples(const LabelledExamples& all, double fraction,
                                                             std::uint64_t seed);

// Decides each example separately: it is in the first part with probability `fraction`, by a hash of its
// values and its label. Adding or removing an example does not move another: add-remove requires that.
std::pair<LabelledExamples, LabelledExamples> split_each_example(const LabelledExamples& all, double fraction,
                                                                 std::uint64_t seed);

}  // namespace tulle

#pragma GCC visibility pop
