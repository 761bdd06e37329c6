#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/io/margins.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/refit/request.hpp>
#include <tulle/method/private_completion.hpp>

#include <algorithm>
#include <chrono>

namespace tulle {
namespace {

// Why a model has no releases, as far as its method says; "" where it could have them.
std::string reason_of(const std::string& name, Job job) {
  const std::deque<Method>& all = methods(job);
  const auto method = std::ranges::find(all, name, &Method::name);
  if (method == all.end()) return "";
  if (!method->is_private()) return "without privacy nothing is released";
  if (!method->has(Calibration::sound)) return "only releases with a proven guarantee are kept";
  return method->keeps_releases()   ? ""
         : method->no_refit.empty() ? "it does not keep them"
                                    : method->no_refit;
}

std::string reason_of(const SavedModel& model) {
  if (std::holds_alternative<CoupledFile>(model)) return "without privacy nothing is released";
  if (const auto* network = std::get_if<NetworkFile>(&model))
    return reason_of(network->method, Job::classification);
  const ModelFile& file = std::get<ModelFile>(model);
  return reason_of(file.method, std::holds_alternative<Topics>(file.model)   ? Job::topics
                                : std::holds_alternative<Counts>(file.model) ? Job::counts
                                                                             : Job::completion);
}

std::string method_of(const SavedModel& model) {
  return std::visit(
      [](const auto& file) {
        if constexpr (requires { file.method; }) return file.method;
        return std::string("couple");
      },
      model);
}

[[noreturn]] void fail_without_releases(const std::string& name, const SavedModel& model) {
  const std::string reason = reason_of(model);
  if (!reason.empty()) fail("{}: keeps no releases to refit (method {}: {})", name, method_of(model), reason);
  fail(
      "{}: keeps no releases to refit; fit the data again, in the sound form and without a seed, and keep "
      "them",
      name);
}

// A table of noisy margins in place of a model.
std::optional<NoisyMargins> margins_to_refit(const RefitOptions& options) {
  check_model_outputs({options.output}, {options.from});
  if (options.from_model || !may_be_margins(options.from)) return std::nullopt;
  return read_margins(options.from);
}

// Nobody knows what they were released for.
ModelFile counts_of(const NoisyMargins& table) {
  Guarantee unknown;
  unknown.remark = "made of a table of noisy margins; it has the guarantee that these were released with";
  return {.model = counts_of_margins(table.shape, table.margins),
          .modes = table.modes,
          .method = "margins",
          .guarantee = to_json(unknown)};
}

ModelFile releases_to_refit(const RefitOptions& options) {
  const std::string name = options.from_model ? "the model" : options.from;
  SavedModel model = options.from_model ? SavedModel(*options.from_model) : load(options.from);
  const auto* file = std::get_if<ModelFile>(&model);
  if (!file || !file->measured) fail_without_releases(name, model);
  return std::get<ModelFile>(std::move(model));
}

Completion topics_again(const Measurement& measured, const TopicOptions& options) {
  TopicOutcome outcome = refit(measured, options);
  return {.model = std::move(outcome.model),
          .solver = "moments",
          .converged = true,
          .remarks = std::move(outcome.remarks)};
}

Completion counts_again(CountOutcome outcome) {
  return {.model = std::move(outcome.model),
          .solver = "deconvolution",
          .converged = true,
          .remarks = std::move(outcome.remarks)};
}

// The guarantee says so of a fit that started from a model.
bool had_warm_start(const ModelFile& file) {
  const Json guarantee = try_parse_json(file.guarantee);
  return guarantee.is_object() && guarantee.contains("source");
}

void refuse_fit_of_completion(const RefitOptions& options, const char* reason) {
  refuse_given({{"model", options.model.has_value()}}, reason);
  for (const FitOption option : options.fit.given()) refuse_given({{name(option), true}}, reason);
}

void check_fit_of_completion(const RefitOptions& options, const Measurement& measured) {
  refuse_given({{"topics", options.topics.has_value()}},
               "is for a model of topics, and this is a completed tensor; omit it");
  if (options.seed) check_reads(find_method(measured.method), Calibration::sound, {FitOption::seed});
}

}  // namespace

RefitRequest::RefitRequest(const RefitOptions& options)
    : margins_(margins_to_refit(options)),
      file_(margins_ ? counts_of(*margins_) : releases_to_refit(options)),
      fit_(options.fit) {
  fit_.seed = topics_.seed = options.seed.value_or(margins_ ? 0 : file_.measured->seed);
  if (const auto* topics = std::get_if<Topics>(&file_.model)) {
    refuse_fit_of_completion(options, "is for a completed tensor, and this is a model of topics; omit it");
    topics_.topics = options.topics.value_or(topics->count());
    return;
  }
  if (std::holds_alternative<Counts>(file_.model)) {
    const char* const reason = "is not for counts, of which the releases make one model; omit it";
    refuse_fit_of_completion(options, reason);
    refuse_given({{"topics", options.topics.has_value()}}, reason);
    return;
  }
  check_fit_of_completion(options, *file_.measured);
  fit_.model = options.model.value_or(kind(file_.model));
}

Completion RefitRequest::estimated_again(const FitOptions& fit) const {
  if (margins_)
    return counts_again({.model = std::get<Counts>(file_.model),
                         .remarks = {fmt::format("Combined {} noisy margins.", margins_->margins.size())}});
  if (std::holds_alternative<Topics>(file_.model)) return topics_again(*file_.measured, topics_);
  if (std::holds_alternative<Counts>(file_.model)) return counts_again(refit_counts(*file_.measured));
  return refit(*file_.measured, fit);
}

RefitOutcome RefitRequest::run(const Watcher& watcher) const {
  const auto start = std::chrono::steady_clock::now();
  FitOptions fit = fit_;
  fit.observer = watcher.observer;
  RefitOutcome outcome{.file = file_, .completion = estimated_again(fit), .seed = fit.seed};
  outcome.file.model = outcome.completion.model;
  if (had_warm_start(file_))
    outcome.completion.remarks.push_back(
        "The first fit started from a model; a refit starts from the releases alone and may differ from it.");
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

Json report_of(const RefitOutcome& outcome) {
  const Completion& fit = outcome.completion;
  return {{"method", outcome.file.method},
          {"refitted", true},
          {"model", name(kind(fit.model))},
          {"solver", fit.solver},
          {"shape", shape(fit.model).text()},
          {"iterations", fit.history.size()},
          {"converged", fit.converged},
          {"seconds", outcome.seconds},
          {"seed", outcome.seed},
          {"threads", threads()},
          {"remarks", fit.remarks},
          {"guarantee", parse_json(outcome.file.guarantee)}};
}

void RefitOptions::declare(OptionTable& table) {
  table
      .add("from", from,
           "A model file that keeps the releases it was made from, or a table of noisy margins (.csv, .tsv)")
      .required();
  table.add("output", output, "Where the new model goes (.npz)");
  table.add("model", model, model_of, "cp, tucker or tubal [that of the file]")
      .one_of({"cp", "tucker", "tubal"})
      .group(kFitting);
  table.add("topics", topics, "Number of topics of a model of topics [that of the file]")
      .positive()
      .group(kFitting);
  constexpr int kOffsetsAlone = 0;
  declare_estimate(table, fit, kOffsetsAlone);
  declare_seed(table, seed);
  declare_threads(table);
}

}  // namespace tulle
