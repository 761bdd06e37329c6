// tulle predict: values of chosen cells, or of all, from a model.
#include "options.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>

namespace tulle::cli {
namespace {

struct Predict {
  std::string model, cells, output = "-", output_format;
  InputOptions input;
  bool all = false;
};

Dataset predict_listed(const Predict& options, const ModelFile& file) {
  ReadOptions reading = options.input.read_options();
  reading.known = file.modes;
  reading.shape = shape(file.model);
  CellList wanted = read_cells(options.cells, reading);
  const std::vector<double> values = predict(file.model, wanted.cells);
  return {file.modes, SparseTensor(std::move(wanted.cells), std::vector<float>(values.begin(), values.end()),
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
  const ModelFile file = load(options.model);
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
