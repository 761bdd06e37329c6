// How predict and evaluate read examples for a classifier on disk.
#pragma once

#include "parser/verb.hpp"

#include <tulle/io/network_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/read_labelled.hpp>

#include <string>

namespace tulle::cli {

struct ExampleOptions {
  std::string labels, label_column;

  void declare_label_column(Verb& verb);
  void declare_labels(Verb& verb);
  bool given() const { return !labels.empty() || !label_column.empty(); }
  // Labels are names of the model's classes. Throws a UsageError if an option is for files of another kind.
  LabelledFileOptions reading(const std::string& path, const NetworkFile& file,
                              const ReadOptions& input) const;
};

// Throws a UsageError if an option for cells of tensors is given, which a classifier would ignore.
void refuse_options_of_cells(const ReadOptions& input, GivenOptions others);
// Throws a UsageError if an option for examples is given to a model that takes none.
void refuse_options_of_examples(const ExampleOptions& options, const std::string& model);

}  // namespace tulle::cli
