#include "input/example_options.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/options/common.hpp>

namespace tulle::cli {

void ExampleOptions::declare_labels(Verb& verb) {
  verb.add_option("--labels", labels,
                  "File of the labels, for a classifier, if they are not beside the images");
}

void ExampleOptions::declare_label_column(Verb& verb) {
  verb.add_option("--label-column", label_column,
                  "Label column of a table, for a classifier: a name or a number [the last]");
}

LabelledFileOptions ExampleOptions::reading(const std::string& path, const NetworkFile& file,
                                            const ReadOptions& input) const {
  refuse_given({{"labels", !labels.empty() && !holds_bytes(path)}},
               "is for images in idx files; other files hold their labels themselves");
  refuse_given({{"label-column", !label_column.empty() && !is_labelled_table(path)}},
               "is for tables (.csv, .tsv); omit it");
  return {.labels = labels,
          .label_column = label_column,
          .header = input.header,
          .separator = input.separator,
          .decimal = input.decimal,
          .categories = file.categories,
          .known = file.model.classes,
          .values = static_cast<std::size_t>(file.model.inputs())};
}

void refuse_options_of_cells(const ReadOptions& input, GivenOptions others) {
  const char* const reason = "is for cells of tensors; omit it with a classifier";
  refuse_given(others, reason);
  ReadOptions of_cells = input;  // without what tables of examples have too
  of_cells.separator.reset();
  of_cells.decimal.reset();
  refuse_reading(of_cells, reason);
}

void refuse_options_of_examples(const ExampleOptions& options, const std::string& model) {
  if (options.given())
    fail_usage("@labels and @label-column are for a classifier, which {} is not; omit them", model);
}

}  // namespace tulle::cli
