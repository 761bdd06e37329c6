// tulle complete: fill in what was not observed.
#include "options.hpp"
#include "scores.hpp"
#include "terminal.hpp"
#include "verb.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/split.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>
#include <tulle/method/registry.hpp>

#include <nlohmann/json.hpp>

#include <chrono>

namespace tulle::cli {
namespace {

struct Complete {
  std::string train, test, output;
  InputOptions input;
  std::optional<double> holdout, validation, ridge, tolerance;
  std::string method = "plain", model = "cp", rank, solver, start;
  std::optional<int> iterations;
  std::optional<std::uint64_t> seed;
  bool biases = false, json = false, verbose = false;
};

// The data in the parts that play different roles.
struct Parts {
  std::vector<Mode> modes;
  std::variant<DenseTensor, SparseTensor> train;
  std::optional<SparseTensor> test, validation;
};

void check(const Complete& options) {
  if (options.holdout && !options.test.empty()) fail_usage("--holdout and --test exclude each other");
  if (options.input.unlisted == "zero" && (options.holdout || options.validation))
    fail_usage(
        "cells cannot be held out of a tensor whose unlisted cells are zero: they would count as zeros");
  for (const auto& fraction : {options.holdout, options.validation})
    if (fraction && !(*fraction > 0 && *fraction < 1))
      fail_usage("a fraction of {} cannot be held out; give a number between 0 and 1", *fraction);
}

// Cells of the test file may lie beyond what the training data show: the model then covers both.
void read_test(const Complete& options, Parts& parts) {
  ReadOptions reading = options.input.read_options();
  reading.known = parts.modes;
  reading.grow = true;
  Dataset test = read(options.test, reading);
  const Shape trained = std::visit([](const auto& t) { return t.shape(); }, parts.train);
  if (test.shape().order() != trained.order())
    fail("{}: a {} tensor, but {} is {}", options.test, test.shape().text(), options.train, trained.text());
  std::vector<std::uint64_t> both;
  for (int mode = 0; mode < trained.order(); ++mode)
    both.push_back(std::max(trained[mode], test.shape()[mode]));
  const Shape shape(both);
  const SparseTensor listed = observed(test);
  parts.test.emplace(listed.cells().within(shape),
                     std::vector<float>(listed.values().begin(), listed.values().end()), Unlisted::missing);
  parts.modes = std::move(test.modes);
  if (auto* train = std::get_if<SparseTensor>(&parts.train); train && shape != trained)
    *train =
        SparseTensor(train->cells().within(shape),
                     std::vector<float>(train->values().begin(), train->values().end()), train->unlisted());
}

Parts read_parts(const Complete& options, std::uint64_t seed) {
  Dataset data = read(options.train, options.input.read_options());
  Parts parts{data.modes, std::move(data.tensor), {}, {}};
  if (options.holdout) {
    Split halves =
        std::visit([&](const auto& tensor) { return split(tensor, *options.holdout, seed); }, parts.train);
    parts.train = std::move(halves.train);
    parts.test = std::move(halves.test);
  }
  if (!options.test.empty()) read_test(options, parts);
  if (options.validation) {
    Split halves = std::visit(
        [&](const auto& tensor) { return split(tensor, *options.validation, seed + 1); }, parts.train);
    parts.train = std::move(halves.train);
    parts.validation = std::move(halves.test);
  }
  return parts;
}

CompletionRequest request_for(const Complete& options, const Parts& parts, std::uint64_t seed) {
  CompletionRequest request{.data = parts.train};
  if (parts.validation) request.validation = &*parts.validation;
  request.model = options.model;
  if (!options.rank.empty()) request.ranks = parse_ranks(options.rank);
  request.biases = options.biases;
  request.solver = options.solver;
  request.ridge = options.ridge;
  if (!options.start.empty()) request.start = options.start == "spectral" ? Start::spectral : Start::random;
  request.max_iterations = options.iterations;
  request.tolerance = options.tolerance;
  request.seed = seed;
  return request;
}

void print_iterations(const std::vector<Iteration>& history) {
  fmt::print("{:>5} {:>14} {:>12} {:>12} {:>9}\n", "step", "objective", "change", "validation", "seconds");
  for (const Iteration& step : history)
    fmt::print("{:>5} {:>14.7g} {:>12.4g} {:>12} {:>9.3f}\n", step.number, step.objective, step.change,
               std::isnan(step.validation_rmse) ? "-" : fmt::format("{:.6g}", step.validation_rmse),
               step.seconds);
}

nlohmann::ordered_json report_of(const Complete& options, const Completion& fit, const Parts& parts,
                                 const std::optional<Scores>& scores, std::uint64_t seed, double seconds) {
  nlohmann::ordered_json report;
  report["method"] = options.method;
  report["model"] = options.model;
  report["solver"] = fit.solver;
  report["shape"] = shape(fit.model).text();
  report["train_cells"] = std::visit([](const auto& t) { return t.size(); }, parts.train);
  if (scores) add(*scores, report);
  report["iterations"] = fit.history.size();
  report["converged"] = fit.converged;
  report["seconds"] = seconds;
  report["seed"] = seed;
  report["threads"] = threads();
  report["guarantee"] = nullptr;
  if (options.verbose)
    for (const Iteration& step : fit.history)
      report["history"].push_back(
          {{"objective", step.objective}, {"change", step.change}, {"seconds", step.seconds}});
  return report;
}

void print_report(const Complete& options, const Completion& fit, const Parts& parts,
                  const std::optional<Scores>& scores, double seconds) {
  if (options.verbose) print_iterations(fit.history);
  fmt::print("{} a {} tensor from {} cells with {} ({} by {}, {} steps{}) in {:.2f} s\n", bold("Completed"),
             shape(fit.model).text(), std::visit([](const auto& t) { return t.size(); }, parts.train),
             options.method, options.model, fit.solver, fit.history.size(),
             fit.converged ? "" : ", the limit", seconds);
  if (scores) fmt::print("{} {}\n", bold("Held out:"), text(*scores));
  fmt::print("{} none (method plain)\n", bold("Guarantee:"));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
}

void run(const Complete& options) {
  check(options);
  const Method& method = find_method(options.method);
  const std::uint64_t seed = seed_or_new(options.seed);
  const Parts parts = read_parts(options, seed);
  CompletionRequest request = request_for(options, parts, seed);

  const auto started = std::chrono::steady_clock::now();
  Completion fit = [&] {
    Progress progress("completing");
    request.observer = [&](const Iteration& step) {
      progress.show(step.number, step.limit, fmt::format("change {:.2g}", step.change));
      return true;
    };
    return method.complete(request);
  }();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

  std::optional<Scores> scores;
  if (parts.test) scores = score(fit.model, *parts.test);
  if (options.json)
    fmt::print("{}\n", report_of(options, fit, parts, scores, seed, seconds).dump(2));
  else
    print_report(options, fit, parts, scores, seconds);
  if (!options.output.empty())
    save(options.output, {.model = std::move(fit.model), .modes = parts.modes, .method = options.method});
}

}  // namespace

void add_complete(CLI::App& command) {
  auto options = std::make_shared<Complete>();
  CLI::App& verb = *command.add_subcommand("complete", "Fill in the missing cells of a tensor");
  verb.add_option("TRAIN", options->train, "The observed cells: a file, or - for standard input")->required();
  verb.add_option("-o,--output", options->output, "Where the model goes (.npz)");
  verb.add_option("--test", options->test, "Held-out cells to measure the error on");
  verb.add_option("--holdout", options->holdout, "Or: the fraction of TRAIN to hold out");
  declare_json(verb, options->json);
  verb.add_flag("-v,--verbose", options->verbose, "Report every iteration");

  const char* const fitting = "Fitting";
  verb.add_option("--method", options->method, "See: tulle methods")->capture_default_str()->group(fitting);
  verb.add_option("--model", options->model, "cp, tucker or tubal")
      ->check(CLI::IsMember({"cp", "tucker", "tubal"}))
      ->capture_default_str()
      ->group(fitting);
  verb.add_option("--rank", options->rank,
                  "Components; for tucker also one a mode: 8,8,4 [8; tubal: no limit]")
      ->group(fitting);
  verb.add_flag("--biases", options->biases,
                "Add a global level and an offset for every position of every mode")
      ->group(fitting);
  verb.add_option("--solver", options->solver, "cp and tucker: als or sgd; tubal: admm")->group(fitting);
  verb.add_option("--ridge", options->ridge, "Strength of the penalty on the factors")->group(fitting);
  verb.add_option("--start", options->start,
                  "random or spectral [random with missing cells, spectral without]")
      ->check(CLI::IsMember({"random", "spectral"}))
      ->group(fitting);
  verb.add_option("--iterations", options->iterations, "At most so many")->group(fitting);
  verb.add_option("--tolerance", options->tolerance, "Stop when an iteration changes less")->group(fitting);
  verb.add_option("--validation", options->validation, "Fraction of TRAIN to watch for over-fitting")
      ->group(fitting);
  options->input.declare(verb);
  declare_seed(verb, options->seed);
  declare_threads(verb);
  verb.footer(
      "Example:\n  tulle complete ratings.csv --columns user,movie,rating --holdout 0.1 --rank 8 --biases -o "
      "model.npz");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
