#include "../study_data.hpp"

#include <tulle/base/error.hpp>
#include <tulle/cuda/cuda_device.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/job/completion/request.hpp>
#include <tulle/job/merging.hpp>
#include <tulle/job/mode_orders.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/ranks.hpp>
#include <tulle/job/warm_start.hpp>
#include <tulle/job/write_page.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace tulle {
namespace {

// ---- Before the data are read ----

Relation relation_of_run(const CompletionOptions& options) {
  return relation_for(find_method(options.method), options.privacy.unit, options.privacy.relation);
}

// All that is charged for.
std::vector<std::string> tables_of(const CompletionOptions& options) {
  return options.study ? site_of(*options.study, 0).tables() : std::vector{options.data.train};
}

// Of a private study the file states whom the guarantee is for, and how its tables are read.
void check_study_terms(const CompletionOptions& options) {
  const PrivacyOptions& privacy = options.privacy;
  if (privacy.unit != Unit::user || privacy.user_mode != options.study->private_entity ||
      relation_of_run(options) != Relation::add_remove)
    fail_usage("a private study protects each {} under add-remove; omit unit, user mode and relation",
               options.study->private_entity);
  if (options.data.crop || options.data.clamp || !options.data.public_modes.empty())
    fail_usage("a private study states how its tables are read; omit crop, clamp and public modes");
}

void check_privacy(const CompletionOptions& options) {
  if (options.study && !options.is_private())
    fail_usage("method {} fits no private study; take private = [..] out of it", options.method);
  if (!options.is_private()) {
    if (options.privacy.epsilon) fail_usage("@method plain spends no @epsilon; omit one of them");
    options.uses.refuse(kForPrivateRuns, kNotForPlainRuns);
    return;
  }
  if (options.study && !options.privacy.epsilon)
    fail_usage("the study states that each {} is private; give @epsilon E, @delta D and @range LOW:HIGH",
               options.study->private_entity);
  options.privacy.check();
  if (options.study) check_study_terms(options);
  check_merging(options.data.reading.duplicates, options.privacy.unit, relation_of_run(options));
}

void check_places(const CompletionOptions& options) {
  if (!options.user_output.empty() &&
      (options.privacy.unit != Unit::user || relation_of_run(options) == Relation::replace))
    fail_usage(
        "@user-output is for joint privacy, of @unit user under add-remove or zero-out; here the model "
        "holds all there is, so omit it");
  std::vector<std::string> inputs = {options.data.train, options.data.test, options.from,
                                     options.ledger.address().ledger};
  if (options.study) std::ranges::copy(options.study->inputs(), std::back_inserter(inputs));
  for (const PublicMode& mode : options.data.public_modes) inputs.push_back(list_file(mode.file).path);
  check_model_outputs({options.output, options.user_output}, inputs);
  options.page.check(options.is_private(), options.study ? "@test or @missing" : "@test or @holdout",
                     options.data.holdout || !options.data.test.empty(), options.data.train);
  check_outputs({options.page.path, options.output, options.user_output}, inputs);
}

void check(const CompletionOptions& options) {
  options.data.check();
  check_privacy(options);
  options.ledger.check(options.is_private(), options.privacy.calibration);
  if (options.is_private() && !find_method(options.method).warm_start &&
      (options.starts_from_a_model() || !options.held.empty()))
    fail_usage("method {} does not start from a model; omit @from and @hold", options.method);
  if (options.is_private() && !options.device.empty())
    fail_usage("method {} computes on the CPU: a GPU runs fits without privacy so far; omit @device",
               options.method);
  if (options.from_is_public && !options.starts_from_a_model())
    fail_usage("@from-is-public is for @from MODEL; omit it");
  check_places(options);
}

CompletionData read_data(const CompletionOptions& options, std::uint64_t seed) {
  check(options);
  const PrivacyOptions& privacy = options.privacy;
  if (options.study) return read_study_data(*options.study, *privacy.range, 0, seed);
  return read_completion_data(
      options.data,
      privacy_of(find_method(options.method), privacy.unit, privacy.relation, privacy.user_mode), seed);
}

// ---- With the data ----

FitOptions fit_options(const CompletionOptions& options, const std::vector<Mode>& modes, std::uint64_t seed) {
  FitOptions fit = options.fit;
  if (options.starts_from_a_model()) {
    const std::string name = options.from_model ? option_name("from") : with_marks("@from ") + options.from;
    SavedModel start = options.from_model ? SavedModel(*options.from_model) : load(options.from);
    check_made_by(name, start, {"complete"});
    ModelFile file = std::get<ModelFile>(std::move(start));
    check_same_positions(name, file.modes, modes);
    fit.from = options.from_is_public
                   ? WarmStart::stated_public(std::make_shared<const Model>(std::move(file.model)))
                   : warm_start_of(std::move(file), name);
  }
  for (const std::string& mode : options.held) fit.held.push_back(mode_of(mode, modes, "@hold"));
  fit.seed = seed;
  if (!options.device.empty()) fit.device = &device_of(options.device);
  return fit;
}

// The mode of private users, whose size is private.
std::optional<int> unknown_mode(const CompletionData& data) {
  const auto found = std::ranges::find(data.public_modes, true, &Mode::any);
  if (found == data.public_modes.end()) return std::nullopt;
  return static_cast<int>(found - data.public_modes.begin());
}

CompletionJob job_of(const CompletionOptions& options, const CompletionData& data, std::uint64_t seed) {
  CompletionJob job{.method = options.method,
                    .settings = options.settings,
                    .fit = fit_options(options, data.public_modes, seed),
                    .keep_releases = options.keep_releases};
  job.fit.coupling = data.coupling;
  const Shape shape = std::visit([](const auto& tensor) { return tensor.shape(); }, data.train);
  check_ranks(job.fit, shape, unknown_mode(data));
  if (!options.ordered.empty()) job.fit.orders = mode_orders(options.ordered, data.public_modes, shape);
  if (options.is_private()) job.terms = options.privacy.terms(data.modes, options.seed);
  return job;
}

std::string purpose(const CompletionOptions& options, const std::string& picked) {
  return fmt::format("{}, method {}", options.study ? "couple" : "complete",
                     named_method(options.method, picked));
}

// ---- The table of options ----

void declare_fit(OptionTable& table, CompletionOptions& options) {
  const char* const group = kFitting;
  FitOptions& fit = options.fit;
  table.add("method", options.method, "Method (see: tulle methods)").show_default().group(group);
  table.add("model", fit.model, model_of, "Tensor model: cp, tucker or tubal")
      .one_of({"cp", "tucker", "tubal"})
      .show_default({std::string("cp")})
      .group(group);
  declare_estimate(table, fit);
  options.uses.declare(table, kForPrivateRuns, [&] {
    table
        .add("ordered", options.ordered, split_at_commas,
             "Modes whose neighbouring positions may be alike, by name or number: day,hour%24 (with a "
             "period); none: no mode [those whose positions are numbers or dates, if the releases show it]")
        .group(group);
  });
  table
      .add("from", options.from,
           "Model for a warm start; in a private run it must have a guarantee, which becomes part of the new "
           "one")
      .group(group);
  options.uses.declare(table, kForPrivateRuns, [&] {
    table
        .add("from-is-public", options.from_is_public,
             "State that the model of @from is public: it was not fitted to private data")
        .group(group);
  });
  table
      .add("hold", options.held, split_at_commas,
           "Modes of the model of @from to hold fixed: names or numbers")
      .group(group);
  table
      .add("device", options.device,
           "Where a fit without privacy computes: cpu, or cuda (the first GPU), cuda:1, ..; what a GPU has "
           "no kernels for runs on the CPU [cpu]")
      .group("Running");
  table
      .add("validation", options.data.validation,
           "Fraction of TRAIN for validation, to detect over-fitting (method plain)")
      .group(group);
}

}  // namespace

CompletionRequest::CompletionRequest(const CompletionOptions& options)
    : CompletionRequest(options, seed_or_new(options.seed)) {}

CompletionRequest::CompletionRequest(const CompletionOptions& options, std::uint64_t seed)
    : CompletionRequest(options, read_data(options, seed), seed) {}

CompletionRequest::CompletionRequest(const CompletionOptions& options, CompletionData data,
                                     std::uint64_t seed)
    : ledger_(options.ledger),
      files_(tables_of(options)),
      job_(job_of(options, data, seed)),
      run_(job_, std::move(data), options.score_all,
           options.ledger.most_lost_of(options.privacy.calibration)),
      payment_(options.ledger.address(), purpose(options, run_.picked()), files_) {}

CompletionOutcome CompletionRequest::run(const Watcher& watcher) {
  const BeforeCharge before =
      before_charge(payment_, ledger_, job_.found().is_private(), files_, run_.losses());
  CompletionOutcome outcome = run_paid(ledger_.account, payment_, before, watcher,
                                       [&](const Pay& pay) { return run_.run(pay, watcher.observer); });
  outcome.owner_notes.insert(outcome.owner_notes.end(), before.notes.begin(), before.notes.end());
  return outcome;
}

RunPlan CompletionRequest::plan() {
  refuse_plan_of_plain(job_.found());
  const BeforeCharge before = before_charge(payment_, ledger_, true, files_, run_.losses());
  return rehearse(run_.open(), payment_, run_.picked().empty() ? job_.method : run_.picked(), before,
                  run_.owner_notes(), [&](Curator& curator) { run_.run(curator); });
}

std::vector<AccuracyCurve> curves_of(const CompletionOptions& options) {
  return curves_of(options.page, options.seed, [&](double epsilon, std::optional<std::uint64_t> seed) {
    CompletionOptions other = at_epsilon(options, epsilon, seed);
    other.user_output.clear();
    CompletionRequest request(other);
    return report_of(request.job(), request.run({}), false);
  });
}

void CompletionOptions::declare(OptionTable& table) {
  table.add("train", data.train, "File of the observed cells; - for standard input").required();
  table.add("output", output, "File for the model (.npz)");
  uses.declare(table, kForPrivateRuns, [&] { declare_releases(table, keep_releases); });
  table.add("user-output", user_output,
            "File for the model with every user's own row, under joint privacy; for the users alone");
  table.add("test", data.test, "Held-out cells to measure the error on");
  table.add("holdout", data.holdout, "Fraction of TRAIN to hold out, instead of @test");
  table.add("score-all", score_all,
            "Measure the error on the cells of TRAIN too, as in papers whose data have all cells");
  table
      .add(
          "crop", data.crop, [](const std::string& sizes) { return Shape::parse(sizes); },
          "Use only the first positions of every mode: 144x176x40")
      .joined_by('x');
  table
      .add(
          "clamp", data.clamp, [](const std::string& text) { return parse_range("clamp", text); },
          "Clamp values to LOW:HIGH before the fit, held-out values too")
      .joined_by(':');
  uses.declare(table, kForPrivateRuns, [&] {
    privacy.declare(table);
    declare_public(table, data, "TRAIN");
  });
  ledger.declare(table);
  page.declare(table);
  declare_fit(table, *this);
  declare_settings(table, Job::completion, settings);
  declare_reading(table, data.reading);
  declare_seed(table, seed);
  declare_threads(table);
  table.mark_everyday({"output", "columns", "epsilon", "delta", "range", "unit", "user-mode", "public",
                       "account", "holdout", "method", "rank"});
}

}  // namespace tulle
