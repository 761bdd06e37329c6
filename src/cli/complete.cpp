// tulle complete: fill in what was not observed.
#include "complete.hpp"

#include "charging.hpp"
#include "input/completed_model.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/model_file.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/ranks.hpp>
#include <tulle/job/warm_start.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nlohmann/json.hpp>

namespace tulle::cli {
namespace {

FitOptions fit_options(const CompleteOptions& options, const std::vector<Mode>& modes, std::uint64_t seed) {
  FitOptions fit = options.fit;
  if (options.asks_for_a_rank()) fit.ranks = parse_ranks(options.rank);
  if (!options.start.empty()) fit.start = options.start == "spectral" ? Start::spectral : Start::random;
  if (!options.from.empty()) {
    ModelFile file = load_completed(options.from);
    check_same_positions(options.from, file.modes, modes);
    fit.from = options.from_is_public
                   ? WarmStart::stated_public(std::make_shared<const Model>(std::move(file.model)))
                   : warm_start_of(std::move(file), "--from " + options.from);
  }
  if (!options.hold.empty())
    for (const std::string& mode : split_at_commas(options.hold))
      fit.held.push_back(mode_of(mode, modes, "--hold"));
  fit.seed = seed;
  return fit;
}

Relation relation_of_run(const CompleteOptions& options) {
  return relation_for(find_method(options.method), unit_of(options.privacy.unit),
                      options.privacy.chosen_relation());
}

void check(const CompleteOptions& options) {
  const DataOptions data = options.data.chosen();
  data.check();
  if (options.is_private()) {
    options.privacy.check();
    check_merging(data.reading.duplicates, unit_of(options.privacy.unit), relation_of_run(options));
  }
  if (!options.is_private() && options.privacy.epsilon)
    fail_usage("--method plain spends no --epsilon; leave one of them out");
  if (!options.is_private()) options.uses.refuse(kForPrivateRuns, kNotForPlainRuns);
  options.ledger.check(options.is_private(), options.privacy.chosen_calibration());
  if (!options.user_output.empty() &&
      (unit_of(options.privacy.unit) != Unit::user || relation_of_run(options) == Relation::replace))
    fail_usage(
        "--user-output is for joint privacy, of --unit user under add-remove or zero-out; here the model "
        "holds all there is, so leave it out");
  if (options.is_private() && !find_method(options.method).warm_start &&
      (!options.from.empty() || !options.hold.empty()))
    fail_usage("method {} does not start from a model; leave --from and --hold out", options.method);
  if (options.from_is_public && options.from.empty())
    fail_usage("--from-is-public is for --from MODEL; leave it out");
  std::vector<std::string> inputs = {data.train, data.test, options.from, options.ledger.address().ledger};
  for (const PublicMode& mode : data.public_modes) inputs.push_back(mode.file);
  check_model_outputs({options.output, options.user_output}, inputs);
  options.page.check(options.is_private(), "--test or --holdout", data.holdout || !data.test.empty(),
                     data.train);
  check_outputs({options.page.path, options.output, options.user_output}, inputs);
}

// A mode of users who come and go has a private size.
std::optional<int> unknown_mode(const CompletionData& data) {
  const auto found = std::ranges::find(data.public_modes, true, &Mode::any);
  if (found == data.public_modes.end()) return std::nullopt;
  return static_cast<int>(found - data.public_modes.begin());
}

CompletionJob job_of(const CompleteOptions& options, const CompletionData& data, std::uint64_t seed) {
  CompletionJob job{.method = options.method,
                    .settings = options.settings,
                    .fit = fit_options(options, data.public_modes, seed)};
  check_ranks(job.fit, std::visit([](const auto& tensor) { return tensor.shape(); }, data.train),
              unknown_mode(data));
  if (!options.is_private()) return job;
  job.terms = options.privacy.terms(data.modes, options.seed);
  return job;
}

// The method that ran, and which one picked it.
std::string named(const CompleteOptions& options, const std::string& picked) {
  return picked.empty() ? options.method : fmt::format("{}, picked by {}", picked, options.method);
}

void print_iterations(const std::vector<Iteration>& history) {
  fmt::print("{:>5} {:>14} {:>12} {:>12}\n", "step", "objective", "change", "validation");
  for (const Iteration& step : history)
    fmt::print("{:>5} {:>14.7g} {:>12.4g} {:>12}\n", step.number, step.objective, step.change,
               std::isnan(step.validation_rmse) ? "-" : fmt::format("{:.6g}", step.validation_rmse));
}

void print_report(const CompleteOptions& options, const CompletionOutcome& outcome) {
  const Completion& fit = outcome.completion;
  const auto print_for_owner = [&](std::string_view label, const std::string& line) {
    fmt::print("{} {}{}\n", bold(label), line,
               options.is_private() ? fmt::format(" ({})", kForTheOwner) : "");
  };
  if (options.verbose) print_iterations(fit.history);
  fmt::print("{} a {} tensor with {} ({} by {}, {} steps{})\n", bold("Completed"), shape(fit.model).text(),
             named(options, outcome.picked), name(options.fit.model), fit.solver, fit.history.size(),
             fit.converged ? "" : ", the limit");
  for (const std::string& remark : fit.remarks) fmt::print("{}\n", remark);
  const auto print_scores = [&](const std::optional<Scores>& scores, std::string_view of) {
    const std::string_view cells = options.score_all ? "All cells" : "Held out";
    if (scores) print_for_owner(fmt::format("{}{}{}:", cells, of.empty() ? "" : ", ", of), text(*scores));
  };
  print_scores(outcome.scores, with_own_rows(fit));
  print_scores(outcome.published_scores, kPublishedAlone);
  print_for_owner("Time:", fmt::format("{:.2f} s", outcome.seconds));
  for (const std::string& note : outcome.owner_notes) print_for_owner("Note:", note);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(fit.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

CompletionData read_data(const CompleteOptions& options, std::uint64_t seed) {
  check(options);
  const Progress progress("reading");
  const PrivacyOptions& privacy = options.privacy;
  return read_completion_data(options.data.chosen(),
                              privacy_of(find_method(options.method), unit_of(privacy.unit),
                                         privacy.chosen_relation(), privacy.user_mode),
                              seed);
}

std::vector<AccuracyCurve> completion_curves(const CompleteOptions& options) {
  return curves_of(options.page, options.seed, [&](double epsilon, std::optional<std::uint64_t> seed) {
    CompleteOptions other = at_epsilon(options, epsilon, seed);
    other.user_output.clear();
    RequestedCompletion request(other);
    return report_of(request.job(), request.run({}), false);
  });
}

void run(const CompleteOptions& options) {
  RequestedCompletion request(options);
  const std::vector<AccuracyCurve> curves = completion_curves(options);
  const CompletionOutcome outcome = [&] {
    Progress progress("completing");
    return request.run([&](const Iteration& step) {
      progress.show(step.number, step.limit, fmt::format("change {:.2g}", step.change));
      return true;
    });
  }();
  write_outputs(options.ledger.account, [&] {
    save_models({options.output, options.user_output}, request.job(), outcome, request.data());
    write_page(
        options.page, "Privacy report: completion of a tensor", report_of(request.job(), outcome, true),
        drawings_of(published_model(request.job(), outcome, request.data())), request.payment(), curves);
    request.payment().delivered();
  });
  if (options.json) return print_json(report_of(request.job(), outcome, options.verbose), request.payment());
  print_report(options, outcome);
  print_balance(request.payment());
}

void declare_fit(Verb& verb, CompleteOptions& options) {
  const char* const group = "Fitting";
  verb.add_option("--method", options.method, "See: tulle methods").show_default().group(group);
  verb.add_option_function<std::string>(
          "--model", [&options](const std::string& text) { options.fit.model = model_of(text); },
          "cp, tucker or tubal")
      .one_of({"cp", "tucker", "tubal"})
      .show_default("cp")
      .group(group);
  verb.add_option("--rank", options.rank,
                  "Components; for tucker also one per mode: 8,8,4; auto: the method's own choice [auto]")
      .group(group);
  verb.add_flag("--biases", options.fit.biases,
                "Add a global level and an offset for every position of every mode")
      .group(group);
  verb.add_option_function<std::string>(
          "--solver", [&options](const std::string& text) { options.fit.solver = solver_of(text); },
          "cp and tucker: als or sgd; tubal: admm")
      .group(group);
  verb.add_option("--ridge", options.fit.ridge, "Strength of the penalty on the factors").group(group);
  verb.add_option("--start", options.start,
                  "random or spectral [random with missing cells, spectral without]")
      .one_of({"random", "spectral"})
      .group(group);
  verb.add_option("--from", options.from,
                  "Warm start from a model file; in a private run it must have a guarantee, which becomes "
                  "part of the new "
                  "one")
      .group(group);
  options.uses.declare(verb, kForPrivateRuns, [&] {
    verb.add_flag("--from-is-public", options.from_is_public,
                  "That model is public: it was not fitted to private data")
        .group(group);
  });
  verb.add_option("--hold", options.hold, "Modes of that model that stay as they are: names or numbers")
      .group(group);
  verb.add_option("--iterations", options.fit.max_iterations, "At most so many").group(group);
  verb.add_option("--tolerance", options.fit.tolerance, "Stop when an iteration changes less").group(group);
  verb.add_option("--validation", options.data.validation,
                  "Fraction of TRAIN to watch for over-fitting (method plain)")
      .group(group);
}

}  // namespace

RequestedCompletion::RequestedCompletion(const CompleteOptions& options)
    : RequestedCompletion(options, seed_or_new(options.seed)) {}

RequestedCompletion::RequestedCompletion(const CompleteOptions& options, std::uint64_t seed)
    : RequestedCompletion(options, read_data(options, seed), seed) {}

RequestedCompletion::RequestedCompletion(const CompleteOptions& options, CompletionData data,
                                         std::uint64_t seed)
    : ledger_(options.ledger),
      files_{options.data.train},
      job_(job_of(options, data, seed)),
      run_(job_, std::move(data), options.score_all, options.ledger.most_lost),
      payment_(options.ledger.address(), fmt::format("complete, method {}", named(options, run_.picked())),
               files_) {}

CompletionOutcome RequestedCompletion::run(const Observer& observer) {
  const BeforeCharge before = before_charge(ledger_, job_.found().is_private(), files_, run_.losses());
  CompletionOutcome outcome =
      run_paid(ledger_.account, payment_, before, [&](const Pay& pay) { return run_.run(pay, observer); });
  outcome.owner_notes.insert(outcome.owner_notes.end(), before.notes.begin(), before.notes.end());
  return outcome;
}

void CompleteOptions::declare(Verb& verb) {
  verb.add_option("TRAIN", data.train, "The observed cells: a file, or - for standard input").required();
  verb.add_option("-o,--output", output, "Where the model goes (.npz)");
  verb.add_option("--user-output", user_output,
                  "Under joint privacy: where the model with every user's own row goes, for the users alone");
  verb.add_option("--test", data.test, "Held-out cells to measure the error on");
  verb.add_option("--holdout", data.holdout, "Or: the fraction of TRAIN to hold out");
  verb.add_flag("--score-all", score_all,
                "Measure the error on the cells of TRAIN too, as papers do that know the whole tensor");
  verb.add_option("--crop", data.crop, "Use the first positions of every mode only: 144x176x40");
  verb.add_option("--clamp", data.clamp,
                  "Move values beyond LOW:HIGH to the nearer bound first, held-out ones too");
  declare_json(verb, json);
  verb.add_flag("-v,--verbose", verbose, "Report every iteration");
  uses.declare(verb, kForPrivateRuns, [&] {
    privacy.declare(verb);
    data.declare_public(verb);
  });
  ledger.declare(verb);
  page.declare(verb);
  declare_fit(verb, *this);
  declare_settings(verb, Job::completion, settings);
  data.input.declare(verb);
  declare_seed(verb, seed);
  declare_threads(verb);
}

void add_complete(Verb& command) {
  auto options = std::make_shared<CompleteOptions>();
  Verb verb = command.add_verb("complete", "Fill in the missing cells of a tensor");
  options->declare(verb);
  verb.footer(
      "Example:\n  tulle complete ratings.csv --columns user,film,rating --epsilon 1 --range 1:5 -o "
      "model.npz\n"
      "  tulle complete ratings.csv --columns user,film,rating --method plain --holdout 0.1 --biases");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
