// tulle complete: estimates the unobserved cells of a tensor.
#include "charging.hpp"
#include "completion.hpp"
#include "dry_run.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/completion/request.hpp>
#include <tulle/job/write_page.hpp>

#include <nlohmann/json.hpp>

namespace tulle::cli {
namespace {

struct Complete {
  CompletionOptions asked;
  Shown shown;
};

void print_iterations(const std::vector<Iteration>& history) {
  fmt::print("{:>5} {:>14} {:>12} {:>12}\n", "step", "objective", "change", "validation");
  for (const Iteration& step : history)
    fmt::print("{:>5} {:>14.7g} {:>12.4g} {:>12}\n", step.number, step.objective, step.change,
               std::isnan(step.validation_rmse) ? "-" : fmt::format("{:.6g}", step.validation_rmse));
}

void print_report(const CompletionOptions& asked, const CompletionOutcome& outcome, bool verbose) {
  const Completion& fit = outcome.completion;
  const auto print_for_owner = [&](std::string_view label, const std::string& line) {
    fmt::print("{} {}{}\n", bold(label), line, asked.is_private() ? fmt::format(" ({})", kForTheOwner) : "");
  };
  if (verbose) print_iterations(fit.history);
  fmt::print("{} a {} tensor with {} ({} by {}, {} steps{})\n", bold("Completed"), shape(fit.model).text(),
             named_method(asked.method, outcome.picked), name(asked.fit.model), fit.solver,
             fit.history.size(), fit.converged ? "" : ", the limit");
  for (const std::string& remark : fit.remarks) fmt::print("{}\n", remark);
  const auto print_scores = [&](const std::optional<Scores>& scores, std::string_view of) {
    const std::string_view cells = asked.score_all ? "All cells" : "Held out";
    if (scores) print_for_owner(fmt::format("{}{}{}:", cells, of.empty() ? "" : ", ", of), text(*scores));
  };
  print_scores(outcome.scores, with_own_rows(fit));
  print_scores(outcome.published_scores, kPublishedAlone);
  if (outcome.baselines) print_for_owner("Without a model:", text(*outcome.baselines));
  print_for_owner("Time:", fmt::format("{:.2f} s", outcome.seconds));
  for (const std::string& note : outcome.owner_notes) print_for_owner("Note:", note);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(fit.guarantee));
  if (!asked.output.empty()) fmt::print("{} {}\n", bold("Model:"), asked.output);
  if (asked.page.wanted()) fmt::print("{} {}\n", bold("Report:"), asked.page.path);
}

}  // namespace

void run_completion(const CompletionOptions& asked, const Shown& shown) {
  CompletionRequest request = [&] {
    const Progress progress("reading");
    return CompletionRequest(asked);
  }();
  if (shown.plan) return print_plan(request.plan(), shown.json);
  const std::vector<AccuracyCurve> curves = curves_of(asked);
  const CompletionOutcome outcome = [&] {
    Progress progress("completing");
    return request.run(on_terminal([&](const Iteration& step) {
      progress.show(step.number, step.limit, fmt::format("change {:.2g}", step.change));
      return true;
    }));
  }();
  write_outputs(asked.ledger.account, [&] {
    save_models({asked.output, asked.user_output}, request.job(), outcome, request.data());
    write_page(
        asked.page,
        fmt::format("Privacy report: {}", asked.study ? "relations of a study" : "completion of a tensor"),
        report_of(request.job(), outcome, true),
        drawings_of(published_model(request.job(), outcome, request.data())), request.payment(), curves);
    request.payment().delivered();
  });
  if (shown.json) return print_json(report_of(request.job(), outcome, shown.verbose), request.payment());
  print_report(asked, outcome, shown.verbose);
  print_balance(request.payment());
}

void add_complete(Verb& command) {
  auto options = std::make_shared<Complete>();
  Verb verb = command.add_verb("complete", "Fill in the missing cells of a tensor");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"train", "TRAIN"}, {"output", "-o,--output"}});
  declare_dry_run(verb, options->shown.plan);
  declare_json(verb, options->shown.json);
  verb.add_flag("-v,--verbose", options->shown.verbose, "Report every iteration");
  verb.footer(
      "Example:\n  tulle complete ratings.csv --columns user,film,rating --epsilon 1 --range 1:5 -o "
      "model.npz\n"
      "  tulle complete ratings.csv --columns user,film,rating --method plain --holdout 0.1 --biases");
  verb.callback([options] { run_completion(options->asked, options->shown); });
}

}  // namespace tulle::cli
