// tulle couple: one model of several tables that share entities.
#include "completion.hpp"
#include "dry_run.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/coupled/request.hpp>
#include <tulle/job/write_page.hpp>
#include <tulle/report/diagram.hpp>

namespace tulle::cli {
namespace {

struct Couple {
  StudyOptions asked;
  bool json = false, dry_run = false;
};

// Entities on the left, factors with an index of an entity in the middle, relations with these factors on the
// right.
Diagram diagram_of(const CoupleJob& job) {
  const Coupled& model = job.study.model;
  Diagram diagram{job.file.title, {{"Entities", {}}, {"Factors", {}}, {"Relations", {}}}, {}};
  for (const Mode& entity : job.study.entities) diagram.columns[0].boxes.push_back(entity.name);
  for (std::size_t d = 0; d < model.factors.size(); ++d) {
    const Factor& factor = model.factors[d];
    std::vector<std::string> letters;
    for (int axis : factor.axes) letters.push_back(model.axes[axis].letter);
    diagram.columns[1].boxes.push_back(fmt::format("{}[{}]", factor.name, fmt::join(letters, ",")));
    for (int axis : model.entity_axes(factor.axes)) {
      const auto& entities = diagram.columns[0].boxes;
      const auto entity = std::ranges::find(entities, model.axes[axis].entity) - entities.begin();
      diagram.lines.push_back({0, static_cast<std::size_t>(entity), d});
    }
  }
  for (std::size_t v = 0; v < model.products.size(); ++v) {
    diagram.columns[2].boxes.push_back(fmt::format("{} ({}, {})", model.products[v].name,
                                                   job.study.tables[v].data.shape().text(),
                                                   divergence_name(job.study.tables[v].divergence)));
    for (int factor : model.products[v].factors)
      diagram.lines.push_back({1, static_cast<std::size_t>(factor), v});
  }
  return diagram;
}

void print_coupled(const StudyOptions& options, const CoupleJob& job, const CoupleOutcome& outcome) {
  const Coupled& model = outcome.fit.posterior.mean;
  fmt::print("{} {} {} with {} ({} sweeps{})\n", bold("Coupled"), model.products.size(),
             model.products.size() == 1 ? "relation" : "relations", name(job.options.inference),
             outcome.fit.history.size(), outcome.fit.converged ? "" : ", the limit");
  for (std::size_t v = 0; v < model.products.size(); ++v)
    fmt::print("  {}  ({}, {} entries, {}{})\n", formula(model, model.products[v]),
               outcome.study.tables[v].data.shape().text(), outcome.study.tables[v].data.size(),
               divergence_name(outcome.study.tables[v].divergence),
               job.options.estimate_dispersion
                   ? fmt::format(", dispersion {:.4g}", model.products[v].dispersion)
                   : "");
  for (const std::string& remark : outcome.fit.remarks) fmt::print("{}\n", remark);
  if (outcome.scores) fmt::print("{} {}\n", bold("Held out:"), text(*outcome.scores, job.top));
  fmt::print("{} {:.2f} s\n{} none; the model is not private\n", bold("Time:"), outcome.seconds,
             bold("Guarantee:"));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

void write_coupled(const StudyOptions& options, const CoupleJob& job, const CoupleOutcome& outcome) {
  if (!options.output.empty()) save(options.output, coupled_file(job, outcome));
  if (!options.predictions.empty()) {
    std::vector<float> values(outcome.predicted.begin(), outcome.predicted.end());
    write(options.predictions, {modes_of(outcome.study.model, outcome.product, outcome.study.entities),
                                SparseTensor(outcome.test->cells(), std::move(values), Unlisted::missing)});
  }
  const std::string diagram = to_svg(diagram_of(job));
  if (!options.drawing.empty()) write_text(options.drawing, diagram);
  std::vector<Drawing> drawings = drawings_of(coupled_file(job, outcome));
  drawings.insert(drawings.begin(), {diagram, "Entities, factors and relations"});
  write_page(options.page, "Report: coupled factorization", report_of(job, outcome), std::move(drawings),
             Payment({}, "", ""));
}

void run_couple(const StudyOptions& asked, CoupleJob job, bool json) {
  const CoupleOutcome outcome = [&] {
    Progress progress("coupling");
    job.options.observer = [&](const Iteration& step) {
      progress.show(step.number, step.limit, fmt::format("change {:.2g}", step.change));
      return true;
    };
    return run(job);
  }();
  write_coupled(asked, job, outcome);
  if (json)
    fmt::print("{}\n", json_text(report_of(job, outcome), 2));
  else
    print_coupled(asked, job, outcome);
}

void run(const Couple& options) {
  auto request = [&] {
    const Progress progress("reading");
    return coupled_request(options.asked);
  }();
  if (const auto* completion = std::get_if<CompletionOptions>(&request))
    return run_completion(*completion, {.json = options.json, .plan = options.dry_run});
  if (options.dry_run) fail_usage("@dry-run is for a private study; this one states no private = [..]");
  run_couple(options.asked, std::get<CoupleJob>(std::move(request)), options.json);
}

}  // namespace

void add_couple(Verb& command) {
  auto options = std::make_shared<Couple>();
  Verb verb = command.add_verb("couple", "Fit one model to several tables that share entities");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"study", "STUDY"}, {"output", "-o,--output"}});
  declare_dry_run(verb, options->dry_run);
  declare_json(verb, options->json);
  verb.footer(
      "The study file is described in docs/study-file.md. One that states whom it protects is fitted "
      "privately.\n"
      "Example:\n  tulle couple study.toml --missing 0.8 --inference vb --json\n"
      "  tulle couple study.toml --cold-start 5 --entity user -o coupled.npz --draw study.svg\n"
      "  tulle couple private.toml --epsilon 1 --delta 1e-6 --range 1:5 -o private.npz");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
