#include <tulle/base/error.hpp>
#include <tulle/base/toml.hpp>
#include <tulle/experiment/experiment.hpp>

#include <algorithm>
#include <filesystem>

namespace tulle {
namespace {

ExperimentData read_data(TomlSection section) {
  ExperimentData data;
  data.generate = section.list<std::string>("generate");
  data.train = section.get<std::string>("train", "");
  data.test = section.get<std::string>("test", "");
  data.study = section.get<std::string>("study", "");
  data.obtain = section.get<std::string>("obtain", "");
  data.arguments = section.list<std::string>("arguments");
  section.refuse_the_rest();
  if (data.generated() == !data.train.empty())
    fail("{}: [data] needs either 'generate' or 'train'", section.path());
  return data;
}

ExperimentCurve read_curve(TomlSection section) {
  ExperimentCurve curve;
  curve.name = section.get<std::string>("name", "");
  curve.arguments = section.list<std::string>("arguments");
  curve.flat = section.get<bool>("flat", false);
  curve.may_fail = section.get<bool>("may_fail", false);
  curve.study = section.get<std::string>("study", "");
  curve.metric = section.get<std::string>("metric", "");
  curve.printed = section.list<double>("printed");
  section.refuse_the_rest();
  if (curve.name.empty()) fail("{}: a curve needs a name", section.place());
  return curve;
}

void check(const Experiment& experiment, const std::string& path) {
  if (experiment.values.empty() || experiment.curves.empty() || experiment.seeds < 1 ||
      experiment.quick_seeds < 1)
    fail("{}: an experiment needs 'x', 'values', seeds and at least one [[curves]]", path);
  for (const std::string& name : experiment.quick_leaves_out)
    if (std::ranges::count(experiment.curves, name, &ExperimentCurve::name) == 0)
      fail("{}: quick_leaves_out names '{}', which is no curve", path, name);
  for (std::size_t i = 0; i < experiment.quick_arguments.size(); ++i)
    if (experiment.quick_arguments.size() % 2 != 0 ||
        experiment.quick_arguments[i].starts_with("--") != (i % 2 == 0))
      fail("{}: quick_arguments are options, each with its value", path);
  for (const ExperimentCurve& curve : experiment.curves)
    if (!curve.printed.empty() && curve.printed.size() != experiment.values.size())
      fail("{}: curve '{}' prints {} figures for {} values", path, curve.name, curve.printed.size(),
           experiment.values.size());
}

// The values that replace "{x}", "{seed}" and "{data}".
struct Values {
  double x;
  int seed;
  std::string data;
};

std::string filled(std::string argument, const Values& values) {
  for (const auto& [name, value] :
       {std::pair<std::string_view, std::string>("{x}", fmt::format("{}", values.x)),
        std::pair<std::string_view, std::string>("{seed}", fmt::format("{}", values.seed)),
        std::pair<std::string_view, std::string>("{data}", values.data)})
    for (std::size_t at = 0; (at = argument.find(name, at)) != std::string::npos; at += value.size())
      argument.replace(at, name.size(), value);
  return argument;
}

std::vector<std::string> filled(std::vector<std::string> arguments, const Values& values) {
  for (std::string& argument : arguments) argument = filled(std::move(argument), values);
  return arguments;
}

// Replaces the values of these options, and adds options that are missing.
void replace(std::vector<std::string>& arguments, const std::vector<std::string>& options) {
  for (std::size_t i = 0; i + 1 < options.size(); i += 2) {
    const auto stated = std::ranges::find(arguments, options[i]);
    if (stated != arguments.end() && std::next(stated) != arguments.end())
      *std::next(stated) = options[i + 1];
    else
      arguments.insert(arguments.end(), {options[i], options[i + 1]});
  }
}

void append(std::vector<std::string>& to, const std::vector<std::string>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// The folder is named after arguments and seed, so that the same data are made only once.
std::string generated_folder(const std::vector<std::string>& arguments, int seed, const std::string& work) {
  std::string name;
  for (char letter : fmt::format("{}", fmt::join(arguments, "-")))
    if (letter != '-' || !name.ends_with('-')) name += letter == '/' ? '-' : letter;
  return fmt::format("{}/{}-seed-{}", work, name, seed);
}

ExperimentRun run_of(const Experiment& experiment, std::size_t curve, double x, int seed, bool quick,
                     const ExperimentPlaces& places) {
  const ExperimentData& data = experiment.data;
  const Values values{x, seed, places.data};
  ExperimentRun run{curve, x, seed, {}, {experiment.verb}, experiment.metric_of(experiment.curves[curve])};
  std::string train = places.data + "/" + data_file(experiment, x),
              test = data.test.empty() ? "" : places.data + "/" + filled(data.test, values);
  const std::string text = fmt::format("{}", seed);
  if (data.generated()) {
    const std::vector<std::string> arguments = filled(data.generate, values);
    const std::string folder = generated_folder(arguments, seed, places.work);
    train = folder + "/train.tns", test = data.study.empty() ? folder + "/test.tns" : "";
    run.prepare = {"generate"};
    append(run.prepare, arguments);
    append(run.prepare, {"--seed", text, "-o", train});
    if (data.study.empty()) append(run.prepare, {"--test", test});
    // Of the generated kinds, only links have a second table.
    if (!data.study.empty() && arguments.front() == "links")
      append(run.prepare, {"--side", folder + "/side.tns"});
  }
  const std::string& own = experiment.curves[curve].study;
  if (const std::string& study = own.empty() ? data.study : own; !study.empty())
    append(run.evaluate, {(std::filesystem::path(experiment.folder) / study).string(), "--tables",
                          std::filesystem::path(train).parent_path().string()});
  else
    run.evaluate.push_back(train);
  if (!test.empty()) append(run.evaluate, {"--test", test});
  append(run.evaluate, filled(data.arguments, values));
  append(run.evaluate, filled(experiment.curves[curve].arguments, values));
  if (quick) replace(run.evaluate, experiment.quick_arguments);
  append(run.evaluate, {"--seed", text, "--threads", "1", "--json"});
  return run;
}

}  // namespace

std::string data_file(const Experiment& experiment, double x) {
  return filled(experiment.data.train, {x, 0, ""});
}

Experiment load_experiment(const std::string& path) {
  TomlSection section = TomlSection::load(path);
  Experiment experiment;
  experiment.name = std::filesystem::path(path).stem();
  experiment.folder = std::filesystem::path(path).parent_path();
  experiment.title = section.get<std::string>("title", experiment.name);
  experiment.source = section.get<std::string>("source", "");
  experiment.note = section.get<std::string>("note", "");
  if (!experiment.note.empty() && !experiment.note.ends_with('\n')) experiment.note += '\n';
  experiment.verb = section.get<std::string>("verb", experiment.verb);
  experiment.metric = section.get<std::string>("metric", experiment.metric);
  experiment.x = section.get<std::string>("x", "");
  experiment.logarithmic_x = section.get<bool>("logarithmic", false);
  experiment.values = section.list<double>("values");
  experiment.quick_values = section.list<double>("quick_values");
  experiment.seeds = section.get<int>("seeds", experiment.seeds);
  experiment.quick_seeds = section.get<int>("quick_seeds", experiment.quick_seeds);
  experiment.quick_leaves_out = section.list<std::string>("quick_leaves_out");
  experiment.quick_arguments = section.list<std::string>("quick_arguments");
  const auto data = section.table("data");
  if (!data) fail("{}: an experiment needs [data]", path);
  experiment.data = read_data(*data);
  for (const TomlSection& curve : section.tables("curves")) experiment.curves.push_back(read_curve(curve));
  section.refuse_the_rest();
  check(experiment, path);
  return experiment;
}

const std::vector<double>& values_of(const Experiment& experiment, bool quick) {
  return quick && !experiment.quick_values.empty() ? experiment.quick_values : experiment.values;
}

std::string quick_note(const Experiment& experiment) {
  if (experiment.quick_arguments.empty()) return "";
  return fmt::format("Quick version: runs have {}.\n", fmt::join(experiment.quick_arguments, " "));
}

std::vector<ExperimentRun> plan_runs(const Experiment& experiment, bool quick,
                                     const ExperimentPlaces& places) {
  const std::vector<double>& values = values_of(experiment, quick);
  std::vector<ExperimentRun> runs;
  // Seed by seed, so that an interrupted experiment has results for every point.
  for (int seed = 1; seed <= (quick ? experiment.quick_seeds : experiment.seeds); ++seed)
    for (std::size_t curve = 0; curve < experiment.curves.size(); ++curve)
      for (double x : values) {
        if (quick && std::ranges::count(experiment.quick_leaves_out, experiment.curves[curve].name) > 0)
          break;
        runs.push_back(run_of(experiment, curve, x, seed, quick, places));
        if (experiment.curves[curve].flat) break;
      }
  return runs;
}

}  // namespace tulle
