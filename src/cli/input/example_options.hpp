// Examples that a classifier on disk is asked about: how predict and evaluate read them.
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
  // Labels are names of the model's classes. A UsageError where an option is for files of another kind.
  LabelledFileOptions reading(const std::string& path, const NetworkFile& file,
                              const ReadOptions& input) const;
};

// Options for cells of tensors, which a classifier would ignore: a UsageError where one is given.
void refuse_options_of_cells(const ReadOptions& input, GivenOptions others);
// The other way round, for models that take no examples.
void refuse_options_of_examples(const ExampleOptions& options, const std::string& model);

}  // namespace tulle::cli
