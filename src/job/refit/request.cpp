#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/refit/request.hpp>
#include <tulle/method/private_completion.hpp>

#include <chrono>

namespace tulle {
namespace {

ModelFile releases_to_refit(const RefitOptions& options) {
  check_model_outputs({options.output}, {options.from});
  ModelFile file = options.from_model ? *options.from_model : load_completed(options.from);
  if (!file.measured)
    fail(
        "{}: keeps no releases to refit; fit the data again without a seed (methods one-shot, margins, local "
        "and "
        "als keep theirs)",
        options.from_model ? "the model" : options.from);
  return file;
}

}  // namespace

RefitRequest::RefitRequest(const RefitOptions& options)
    : file_(releases_to_refit(options)), fit_(options.fit) {
  if (options.seed) check_reads(find_method(file_.measured->method), Calibration::sound, {FitOption::seed});
  fit_.model = options.model.value_or(kind(file_.model));
  fit_.seed = options.seed.value_or(file_.measured->seed);
}

RefitOutcome RefitRequest::run(const Watcher& watcher) const {
  const auto start = std::chrono::steady_clock::now();
  FitOptions fit = fit_;
  fit.observer = watcher.observer;
  RefitOutcome outcome{.file = file_, .completion = refit(*file_.measured, fit), .seed = fit.seed};
  outcome.file.model = outcome.completion.model;
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
  table.add("from", from, "A model file that keeps the releases it was made from").required();
  table.add("output", output, "Where the new model goes (.npz)");
  table.add("model", model, model_of, "cp, tucker or tubal [that of the file]")
      .one_of({"cp", "tucker", "tubal"})
      .group(kFitting);
  constexpr int kOffsetsAlone = 0;
  declare_estimate(table, fit, kOffsetsAlone);
  declare_seed(table, seed);
  declare_threads(table);
}

}  // namespace tulle
