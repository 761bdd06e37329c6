// tulle refit: estimates another model from the releases in a model file.
#include "charging.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/refit/request.hpp>

namespace tulle::cli {
namespace {

struct Refit {
  RefitOptions asked;
  bool json = false;
};

void print_report(const RefitOptions& asked, const RefitOutcome& outcome) {
  const Completion& fit = outcome.completion;
  if (const auto* topics = std::get_if<Topics>(&fit.model))
    fmt::print("{} {} {} from the releases of {}\n", bold("Refitted"), topics->count(),
               topics->mixture() ? "components" : "topics", asked.from);
  else if (std::holds_alternative<Counts>(fit.model))
    fmt::print("{} counts of {} cells from the releases of {}\n", bold("Refitted"), shape(fit.model).text(),
               asked.from);
  else
    fmt::print("{} a {} tensor from the releases of {} ({} by {}, {} steps{})\n", bold("Refitted"),
               shape(fit.model).text(), asked.from, name(kind(fit.model)), fit.solver, fit.history.size(),
               fit.converged ? "" : ", the limit");
  for (const std::string& remark : fit.remarks) fmt::print("{}\n", remark);
  fmt::print("{} {:.2f} s\n", bold("Time:"), outcome.seconds);
  fmt::print("{} {} (of the same releases: nothing was spent)\n", bold("Guarantee:"),
             parse_json(outcome.file.guarantee).value("sentence", ""));
  if (!asked.output.empty()) fmt::print("{} {}\n", bold("Model:"), asked.output);
}

void run(const Refit& options) {
  const RefitOptions& asked = options.asked;
  const RefitRequest request = [&] {
    const Progress progress("reading");
    return RefitRequest(asked);
  }();
  const RefitOutcome outcome = [&] {
    Progress progress("refitting");
    return request.run(on_terminal([&](const Iteration& step) {
      progress.show(step.number, step.limit, fmt::format("change {:.2g}", step.change));
      return true;
    }));
  }();
  if (!asked.output.empty()) save(asked.output, outcome.file);
  if (options.json)
    fmt::print("{}\n", json_text(report_of(outcome), 2));
  else
    print_report(asked, outcome);
}

}  // namespace

void add_refit(Verb& command) {
  auto options = std::make_shared<Refit>();
  Verb verb = command.add_verb("refit", "Make another model from the releases of one, at no cost");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"from", "MODEL"}, {"output", "-o,--output"}});
  declare_json(verb, options->json);
  verb.footer("Example:\n  tulle refit model.npz --rank 0 -o offsets.npz");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
