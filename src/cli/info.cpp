// tulle info: describes a file. For the owner of the data: no guarantee covers the description of a data
// file.
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/job/describe_model.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/job/write_page.hpp>

#include <cmath>

namespace tulle::cli {
namespace {

struct Info {
  std::string path;
  PageOptions page;  // only the path is used
  ReadOptions input;
  bool json = false;
};

template <class Values>
void describe_values(const Values& values, Json& report) {
  if (values.empty()) return;
  double sum = 0, square = 0, lowest = values[0], highest = values[0];
  for (double value : values) {
    sum += value;
    square += value * value;
    lowest = std::min(lowest, value);
    highest = std::max(highest, value);
  }
  const double mean = sum / static_cast<double>(values.size());
  report["min"] = lowest;
  report["max"] = highest;
  report["mean"] = mean;
  report["stddev"] = std::sqrt(std::max(0.0, square / static_cast<double>(values.size()) - mean * mean));
}

Json describe_data(const Dataset& data, const Info& options) {
  Json report;
  const auto* sparse = std::get_if<SparseTensor>(&data.tensor);
  double cells = 1;
  for (Index dimension : data.shape().dimensions()) cells *= dimension;
  report["content"] = "tensor";
  report["storage"] = sparse ? "sparse" : "dense";
  if (sparse) report["unlisted"] = sparse->unlisted() == Unlisted::zero ? "zero" : "missing";
  report["shape"] = data.shape().text();
  report["listed_cells"] = data.listed();
  if (options.input.duplicates != Duplicates::refuse) report["merged_rows"] = data.merged_rows;
  report["density"] = static_cast<double>(data.listed()) / cells;
  std::visit([&](const auto& tensor) { describe_values(tensor.values(), report); }, data.tensor);
  report["modes"] = describe_modes(data.modes, data.shape().dimensions());
  return report;
}

// Marks all fields of the description of a data file as for the owner, since they are computed from the data.
void mark_for_owner(Json& report) {
  OwnerFields owner;
  const Json described = report;
  for (const auto& [field, value] : described.items())
    if (field != "content") owner.add(report, field, value);
  owner.mark(report);
}

std::string plain_text(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_object() && value.contains("sentence")) return value["sentence"];  // a guarantee
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_string() ? value.get<std::string>() : json_text(value);
}

// Quotes a label that contains separators, so that its end is visible.
std::string in_quotes(const std::string& label) {
  return label.find_first_of(", '") == std::string::npos ? label : fmt::format("'{}'", label);
}

void print_text(const Json& report) {
  for (const auto& [key, value] : report.items()) {
    if (key == "modes" || key == "owner_only") continue;
    if (key == "relations") {
      for (const Json& relation : value) fmt::print("{:<13} {}\n", "relation", plain_text(relation));
      continue;
    }
    const bool of_values = key == "min" || key == "max" || key == "mean" || key == "stddev";
    fmt::print("{:<13} {}{}\n", key, plain_text(value), of_values ? " (of the listed cells)" : "");
  }
  for (const Json& mode : report["modes"]) {
    fmt::print("{:<13} {}: {} positions", "mode", plain_text(mode["name"]), plain_text(mode["size"]));
    if (mode.contains("first_labels")) {
      std::vector<std::string> labels = mode["first_labels"];
      for (std::string& label : labels) label = legible(in_quotes(label));
      fmt::print(" ({}{})", fmt::join(labels, ", "), mode["size"] > labels.size() ? ", .." : "");
    }
    fmt::print("\n");
  }
  if (report.contains("owner_only")) fmt::print("{:<13} {}\n", "note", kForTheOwner);
}

// The description of a file and, for a model, its drawings on a page.
struct Described {
  Json report;
  std::vector<Drawing> drawings = {};
  bool is_model = true;
};

Described describe_file(const Info& options) {
  const Progress progress("reading");
  if (is_saved_model(options.path)) {
    const SavedModel model = load(options.path);
    return {describe(model), drawings_of(model)};
  }
  Described data{describe_data(read(options.path, options.input), options), {}, false};
  mark_for_owner(data.report);
  return data;
}

void run(const Info& options) {
  options.page.check(false, "", true, options.path);
  check_outputs({options.page.path}, {options.path});
  const auto [described, drawings, is_model] = describe_file(options);
  if (options.page.wanted() && !is_model)
    fail("{} is no model; @report is of a model, or of the run that makes one", options.path);
  write_page(options.page, "Privacy report: a model", described, drawings, Payment({}, "", ""));
  if (options.json)
    fmt::print("{}\n", json_text(described, 2));
  else
    print_text(described);
}

}  // namespace

void add_info(Verb& command) {
  auto options = std::make_shared<Info>();
  Verb verb = command.add_verb("info", "Describe a file (for the data owner: no guarantee covers it)");
  verb.add_option("FILE", options->path, "File of a tensor or a model; - for standard input").required();
  verb.add_option("--report", options->page.path,
                  "Also write a report on a model (.html): what it protects, and how well");
  declare_json(verb, options->json);
  verb.add_options([&](OptionTable& table) { declare_reading(table, options->input); });
  declare_threads(verb);
  verb.footer("Example:\n  tulle info ratings.tns.gz\n  tulle info model.npz --report model.html");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
