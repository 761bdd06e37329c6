// tulle predict: values of chosen cells, or of all, from a model.
#include "options.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/outputs.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/solve/rows.hpp>

namespace tulle::cli {
namespace {

struct Predict {
  std::string model, cells, rows, rows_mode = "1", output = "-", output_format;
  std::optional<double> ridge;
  InputOptions input;
  bool all = false;
};

// New positions of one mode, fitted from what is known of them.
void replace_rows(const Predict& options, ModelFile& file) {
  const int mode = parse_mode("--new-mode", options.rows_mode, file.modes);
  ReadOptions reading = options.input.read_options();
  reading.known = file.modes;
  reading.grow = true;
  Dataset rows = read(options.rows, reading);
  for (int other = 0; other < static_cast<int>(file.modes.size()); ++other)
    if (other != mode && rows.modes[other].labels.size() > file.modes[other].labels.size())
      fail("{}: {} '{}' is not in the model; only {} may be new", options.rows, file.modes[other].name,
           rows.modes[other].labels[file.modes[other].labels.size()], file.modes[mode].name);
  RowsOptions fitting;
  if (options.ridge) fitting.ridge = *options.ridge;
  file.model = fit_rows(file.model, mode, observed(rows), fitting);
  file.modes = std::move(rows.modes);
  file.modes[static_cast<std::size_t>(mode)].any = false;  // each has a row of its own now
  // Rows of the people in ROWS are made of their data, so predictions from them are too.
  fmt::print(stderr, "tulle: predictions at positions of {} are computed from its data: {}\n", options.rows,
             kForTheOwner);
}

Dataset predict_listed(const Predict& options, const ModelFile& file) {
  ReadOptions reading = options.input.read_options();
  reading.known = file.modes;
  reading.shape = shape(file.model);
  CellList wanted = read_cells(options.cells, reading);
  const std::vector<double> values = predict(file.model, cells_in_model(wanted.cells, file.modes));
  return {std::move(wanted.modes),
          SparseTensor(std::move(wanted.cells), std::vector<float>(values.begin(), values.end()),
                       Unlisted::missing)};
}

// To a pipe goes text: CSV when there are labels to keep, .tns otherwise.
Format output_format(const Predict& options, const Dataset& predicted) {
  if (!options.output_format.empty()) return format_of("." + options.output_format);
  if (options.output != "-") return format_of(options.output);
  const bool labelled = std::any_of(predicted.modes.begin(), predicted.modes.end(),
                                    [](const Mode& m) { return !m.labels.empty(); });
  return labelled ? Format::csv : Format::tns;
}

void run(const Predict& options) {
  if (options.all == !options.cells.empty()) fail_usage("predict: give either a file of CELLS or --all");
  check_outputs({options.output}, {options.model, options.cells, options.rows});
  ModelFile file = load(options.model);
  if (!options.rows.empty()) replace_rows(options, file);
  const Dataset predicted =
      options.all ? Dataset{file.modes, reconstruct(file.model)} : predict_listed(options, file);
  write(options.output, predicted, output_format(options, predicted));
}

}  // namespace

void add_predict(CLI::App& command) {
  auto options = std::make_shared<Predict>();
  CLI::App& verb = *command.add_subcommand("predict", "Predict cells with a model");
  verb.add_option("MODEL", options->model, "A model that tulle complete made")->required();
  verb.add_option("CELLS", options->cells,
                  "The cells to predict, with or without a value column; - for standard input");
  verb.add_flag("--all", options->all, "Predict every cell of the tensor instead");
  verb.add_option("--new", options->rows,
                  "What is known of positions that the model has not seen, such as new users: each is fitted "
                  "from its own cells alone");
  verb.add_option("--new-mode", options->rows_mode, "The mode they are new in: a name or a number")
      ->capture_default_str();
  verb.add_option("--ridge", options->ridge, "Pull of new rows to zero, in cells [5]");
  verb.add_option("-o,--output", options->output, "Where the predictions go")->capture_default_str();
  verb.add_option("--output-format", options->output_format,
                  "Format of the predictions, when the name does not tell")
      ->check(CLI::IsMember({"tns", "csv", "tsv", "mtx", "npy", "npz", "mat"}));
  options->input.declare(verb);
  declare_threads(verb);
  verb.footer("Example:\n  tulle predict model.npz wanted.csv -o predicted.csv");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
