#include "input/example_options.hpp"

#include <tulle/base/error.hpp>

namespace tulle::cli {

void ExampleOptions::declare(Verb& verb) {
  verb.add_option("--labels", labels,
                  "Of a classifier: the labels, when they are not beside the images or in the file");
  verb.add_option("--label-column", label_column,
                  "Of a classifier: the label's column of a table, by its name or number [the last]");
}

LabelledFileOptions ExampleOptions::reading(const NetworkFile& file, const InputOptions& input) const {
  return {.labels = labels,
          .label_column = label_column,
          .header = input.read_options().header,
          .known = file.model.classes,
          .values = static_cast<std::size_t>(file.model.inputs())};
}

void refuse_options_of_cells(const InputOptions& input, GivenOptions others) {
  const char* const reason = "is for cells of tensors; leave it out with a classifier";
  refuse_given(others, reason);
  input.refuse(reason);
}

void refuse_options_of_examples(const ExampleOptions& options, const std::string& model) {
  if (options.given())
    fail_usage("--labels and --label-column are for a classifier, which {} is not; leave them out", model);
}

}  // namespace tulle::cli
