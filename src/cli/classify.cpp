// tulle classify: trains a network that classifies examples.
#include "charging.hpp"
#include "dry_run.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/baselines.hpp>
#include <tulle/job/classification/request.hpp>
#include <tulle/job/write_page.hpp>

#include <nlohmann/json.hpp>

#include <cmath>

namespace tulle::cli {
namespace {

struct Classify {
  ClassifierOptions asked;
  bool json = false, dry_run = false;
};

void print_report(const ClassifierOptions& options, const ClassifierMade& made) {
  const std::string mark = options.is_private() ? fmt::format(" ({})", kForTheOwner) : "";
  fmt::print("{} a network of {} parameters for {} classes with {} ({})\n", bold("Trained"),
             made.outcome.model.parameters(), made.outcome.model.classes.size(), options.method,
             made.outcome.solver);
  for (const std::string& remark : made.outcome.remarks) fmt::print("{}\n", remark);
  if (made.scores) fmt::print("{} {}{}\n", bold("Test:"), text(*made.scores), mark);
  if (made.scores && std::isfinite(made.baseline_accuracy))
    fmt::print("{} {}{}\n", bold("Without a model:"), majority_text(made.baseline_accuracy), mark);
  fmt::print("{} {:.2f} s{}\n", bold("Time:"), made.seconds, mark);
  for (const std::string& note : made.owner_notes) fmt::print("{} {}{}\n", bold("Note:"), note, mark);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(made.outcome.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

void run_classify(const Classify& options) {
  const ClassifierOptions& asked = options.asked;
  ClassifierRequest request = [&] {
    const Progress progress("reading");
    return ClassifierRequest(asked);
  }();
  if (options.dry_run) return print_plan(request.plan(), options.json);
  const std::vector<AccuracyCurve> curves = curves_of(asked);
  const ClassifierMade made = [&] {
    Progress progress("training");
    return request.run(on_terminal([&](const Iteration& step) {
      progress.show(step.number, step.limit, "");
      return true;
    }));
  }();
  write_outputs(asked.ledger.account, [&] {
    if (!asked.output.empty()) save(asked.output, request.model(made));
    write_page(asked.page, "Privacy report: classifier", report_of(request.job(), made),
               drawings_of(request.model(made)), request.payment(), curves);
    request.payment().delivered();
  });
  if (options.json) return print_json(report_of(request.job(), made), request.payment());
  print_report(asked, made);
  print_balance(request.payment());
}

}  // namespace

void add_classify(Verb& command) {
  auto options = std::make_shared<Classify>();
  Verb verb = command.add_verb("classify", "Train a network that classifies examples");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"train", "TRAIN"}, {"output", "-o,--output"}});
  declare_dry_run(verb, options->dry_run);
  declare_json(verb, options->json);
  verb.footer(
      "Example:\n"
      "  tulle classify train-images-idx3-ubyte.gz --test t10k-images-idx3-ubyte.gz --epsilon 1 --delta 1e-5 "
      "-o digits.npz\n"
      "  tulle classify digits.csv --range 0:16 --method plain --hidden 500 --holdout 0.2");
  verb.callback([options] { run_classify(*options); });
}

}  // namespace tulle::cli
