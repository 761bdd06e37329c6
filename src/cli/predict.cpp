// tulle predict: values of chosen cells, or of all, from a model.
#include "input/coupled_relation.hpp"
#include "input/example_options.hpp"
#include "input/new_rows.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/csv_field.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/job/topics/new_documents.hpp>

#include <algorithm>

namespace tulle::cli {
namespace {

struct Predict {
  std::string model, cells, relation, output = "-", output_format;
  NewRowsOptions rows;
  ReadOptions input;
  ExampleOptions examples;
  std::optional<double> interval;
  bool all = false, unclamped = false, probabilities = false;
};

Clamping clamping(const Predict& options) {
  return options.unclamped ? Clamping::none : Clamping::to_range;
}

Dataset listed(CellList wanted, const std::vector<double>& values) {
  return {std::move(wanted.modes),
          SparseTensor(std::move(wanted.cells), std::vector<float>(values.begin(), values.end()),
                       Unlisted::missing)};
}

Dataset predict_listed(const Predict& options, const ModelFile& file) {
  ReadOptions reading = options.input;
  reading.known = file.modes;
  reading.shape = shape(file.model);
  CellList wanted = read_cells(options.cells, reading);
  const std::vector<double> values = predict_cells(file, wanted.cells, clamping(options));
  return listed(std::move(wanted), values);
}

std::optional<Format> stated_format(const Predict& options) {
  if (!options.output_format.empty()) return format_of("." + options.output_format);
  if (options.output != "-") return format_of(options.output);
  return std::nullopt;
}

// Checks the interval before anything is computed.
void check_interval(const Predict& options) {
  if (!options.interval) return;
  if (!(*options.interval > 0 && *options.interval < 1))
    fail_usage("@interval {}: give a probability between 0 and 1", *options.interval);
  const std::optional<Format> format = stated_format(options);
  if (format && !traits(*format).has_columns())
    fail_usage("@interval: .{} has no columns for the bounds; write .csv or .tsv", traits(*format).name);
}

// Without a stated format, the output is text: CSV if there are labels or intervals, .tns otherwise.
Format output_format(const Predict& options, const Dataset& predicted) {
  if (const std::optional<Format> stated = stated_format(options)) return *stated;
  if (options.interval) return Format::csv;
  const bool labelled = std::any_of(predicted.modes.begin(), predicted.modes.end(),
                                    [](const Mode& m) { return !m.labels.empty(); });
  return labelled ? Format::csv : Format::tns;
}

void check_cells(const Predict& options) {
  refuse_given({{"probabilities", options.probabilities}}, "is for a classifier; omit it");
  refuse_options_of_examples(options.examples, options.model);
  if (options.all == !options.cells.empty()) fail_usage("predict: give either a file of CELLS or @all");
  check_outputs({options.output}, {options.model, options.cells, options.rows.file});
}

void predict(const Predict& options, CoupledFile file) {
  check_cells(options);
  if (options.all || !options.rows.file.empty())
    fail_usage("a coupled model predicts listed cells; omit @all and @new");
  check_interval(options);
  const Progress progress("predicting");
  const CoupledRelation relation(std::move(file), options.relation);
  CellList wanted = read_cells(options.cells, relation.reading(options.input));
  const std::vector<double> values = relation.predict(wanted.cells);
  std::vector<ValueColumn> bounds;
  if (options.interval) bounds = relation.bounds(wanted.cells, *options.interval);
  const Dataset predicted = listed(std::move(wanted), values);
  write(options.output, predicted, output_format(options, predicted), bounds);
}

// A line per example: its class, and the probability of that.
void write_classes(const Predict& options, const NetworkFile& file, const FloatMatrix& probabilities) {
  const std::optional<Format> stated = stated_format(options);
  if (stated && !traits(*stated).has_columns())
    fail_usage(
        "a class per example is a line of text; write .csv or .tsv, or ask for @probabilities, which .{} "
        "holds",
        traits(*stated).name);
  const char separator = stated == Format::tsv ? '\t' : ',';
  std::string text = fmt::format("example{0}class{0}probability\n", separator);
  const std::vector<int> classes = most_probable(probabilities);
  for (std::size_t row = 0; row < classes.size(); ++row) {
    const std::string& label = file.model.classes[static_cast<std::size_t>(classes[row])];
    text += fmt::format("{}{}", row + 1, separator);
    append_field(text, options.output == "-" ? legible(label) : label, separator);
    text += fmt::format("{}{:.6g}\n", separator, probabilities(static_cast<Eigen::Index>(row), classes[row]));
  }
  write_text(options.output, text);
}

// Predicts with a classifier: classes, or a table of class probabilities, one row per example.
void predict(const Predict& options, const NetworkFile& file) {
  if (options.cells.empty()) fail_usage("predict: give a file of examples to classify");
  refuse_options_of_cells(options.input, {{"all", options.all},
                                          {"new", !options.rows.file.empty()},
                                          {"new-mode", options.rows.mode != NewRowsOptions().mode},
                                          {"relation", !options.relation.empty()},
                                          {"interval", options.interval.has_value()},
                                          {"unclamped", options.unclamped}});
  check_outputs({options.output}, {options.model, options.cells});
  LabelledFileOptions reading = options.examples.reading(options.cells, file, options.input);
  reading.values_alone = true;
  const FloatMatrix probabilities =
      mean_probabilities(file.model, file.samples, read_labelled(options.cells, reading).values);
  if (!options.probabilities) return write_classes(options, file, probabilities);
  const Shape shape{static_cast<std::uint64_t>(probabilities.rows()),
                    static_cast<std::uint64_t>(probabilities.cols())};
  const Dataset predicted{
      {{"example", {}}, {"class", file.model.classes}},
      DenseTensor(shape, {probabilities.data(), probabilities.data() + probabilities.size()})};
  write(options.output, predicted, output_format(options, predicted));
}

// Predicts with topics: a table of their posterior probabilities, one row per document.
void predict_topics(const Predict& options, const ModelFile& file) {
  refuse_relation(options.relation);
  refuse_given({{"new", !options.rows.file.empty()},
                {"interval", options.interval.has_value()},
                {"unclamped", options.unclamped}},
               "is for cells of a tensor, and this is a model of topics; omit it");
  const Progress progress("predicting");
  say(fmt::format("the topics of documents follow from the documents, which no guarantee covers: {}",
                  kForTheOwner));
  const Dataset predicted = shares_of(topics_of_documents(file, options.cells, options.input));
  write(options.output, predicted, output_format(options, predicted));
}

void predict(const Predict& options, ModelFile file) {
  check_cells(options);
  if (std::holds_alternative<Topics>(file.model) && !options.all) return predict_topics(options, file);
  refuse_relation(options.relation);
  refuse_given({{"interval", options.interval.has_value()}}, "is for models of tulle couple; omit it");
  const Progress progress("predicting");
  options.rows.apply(options.input, file);
  note_rows_of_users(file);
  const Dataset predicted =
      options.all ? Dataset{file.modes, predict_all(file, clamping(options))} : predict_listed(options, file);
  write(options.output, predicted, output_format(options, predicted));
}

void run(const Predict& options) {
  SavedModel model = load(options.model);
  std::visit([&](auto& file) { predict(options, std::move(file)); }, model);
}

}  // namespace

void add_predict(Verb& command) {
  auto options = std::make_shared<Predict>();
  Verb verb = command.add_verb("predict", "Predict cells with a model");
  verb.add_option("MODEL", options->model, "Model file of tulle complete, topics, count, couple or classify")
      .required();
  verb.add_option("CELLS", options->cells,
                  "Cells to predict, with or without values, examples, with or without labels, or documents, "
                  "whose topics are predicted; - for standard input");
  verb.add_flag("--all", options->all,
                "Predict every cell of the tensor instead of CELLS; of topics, the table of their words");
  verb.add_option("--relation", options->relation, "Relation of the cells, for a coupled model [the first]");
  verb.add_option("--interval", options->interval,
                  "Add bounds low and high, which contain a cell's mean with this posterior probability "
                  "(coupled models by vb or a sampler; CSV, TSV)");
  options->rows.declare(verb);
  options->examples.declare_label_column(verb);
  verb.add_flag("--probabilities", options->probabilities,
                "Write the probability of every class, for a classifier, in place of a class per example");
  verb.add_flag("--unclamped", options->unclamped, "Do not clamp predictions to the model's range");
  verb.add_option("-o,--output", options->output, "File for the predictions; - for standard output")
      .show_default();
  verb.add_option("--output-format", options->output_format,
                  "Format of the predictions [from the file name; standard output: tns, or csv with labels "
                  "or intervals]")
      .one_of(format_names());
  verb.add_options([&](OptionTable& table) { declare_reading(table, options->input); });
  declare_threads(verb);
  verb.footer(
      "Example:\n  tulle predict model.npz wanted.csv -o predicted.csv\n"
      "  tulle predict model.npz wanted.csv --new new.csv --new-mode user");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
