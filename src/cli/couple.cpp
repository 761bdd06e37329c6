// tulle couple: one model of several tables that share entities.
#include "couple.hpp"

#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/site_study.hpp>
#include <tulle/io/write.hpp>
#include <tulle/report/diagram.hpp>

namespace tulle::cli {
namespace {

// Entities on the left, factors that have an index of them in the middle, relations that have the factors on
// the right.
Diagram diagram_of(const StudyFile& file) {
  const Coupled& model = file.study.model;
  Diagram diagram{file.title, {{"Entities", {}}, {"Factors", {}}, {"Relations", {}}}, {}};
  for (const Mode& entity : file.study.entities) diagram.columns[0].boxes.push_back(entity.name);
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
                                                   file.study.tables[v].data.shape().text(),
                                                   divergence_name(file.study.tables[v].power)));
    for (int factor : model.products[v].factors)
      diagram.lines.push_back({1, static_cast<std::size_t>(factor), v});
  }
  return diagram;
}

// One place that sees all tables: no privacy, and no sites.
constexpr const char* kOnePlace = "one place";

void check_uses(const CoupleOptions& options) {
  if (options.sites.over_sites()) {
    options.uses.refuse(kOnePlace, "is for one place that has all tables; leave it out over sites");
    if (!options.sites.is_private())
      options.uses.refuse(SiteOptions::kPrivate,
                          "is for a private run, and with method no-sharing nothing is private; leave one of "
                          "them out");
    return;
  }
  for (const char* use : {SiteOptions::kPrivate, SiteOptions::kSites})
    options.uses.refuse(use,
                        "is for --trust sites: without it tulle couple has no privacy; give it, or "
                        "leave this out");
}

void check_couple(const CoupleOptions& options) {
  check_uses(options);
  if (options.missing.has_value() + options.cold_start.has_value() + !options.test.empty() > 1)
    fail_usage("--missing, --cold-start and --test exclude each other; give one");
  if (!options.predictions.empty() && !options.missing && !options.cold_start && options.test.empty())
    fail_usage("--predictions are of held-out cells; give --missing, --cold-start or --test");
  if (!options.entity.empty() && !options.cold_start)
    fail_usage("--entity is for --cold-start; leave it out");
  const bool held_out = options.missing || options.cold_start || !options.test.empty();
  refuse_given({{"--top", !held_out && options.uses.given("--top")},
                {"--relation", !held_out && !options.alone && !options.relation.empty()}},
               "is for held-out cells; give --missing, --cold-start or --test, or leave it out");
  check_drawing("--draw", options.drawing);
  if (!(options.fit.tolerance >= 0)) fail_usage("--tolerance {}: give 0 or more", options.fit.tolerance);
  if (options.test.empty()) {
    const char* const reason = "is for --test; the study says how its tables are read";
    options.input.refuse(reason);
    refuse_given({{"--header", options.input.header != "auto"}}, reason);
  }
  check_model_outputs({options.output}, {options.study, options.test});
  options.page.check(false, "", true, options.study);
  check_outputs({options.output, options.predictions, options.drawing, options.page.path},
                {options.study, options.test});
}

// Options that this inference would ignore.
void check_inference(const CoupleOptions& options, Inference inference) {
  const bool by_batches = inference == Inference::sgld || inference == Inference::sgd_map;
  const auto given = [&](const char* name) { return options.uses.given(name); };
  const bool samples = is_sampler(inference);
  refuse_given({{"--samples", !samples && given("--samples")}},
               "is for sgld, langevin and gibbs, which sample; leave it out");
  refuse_given({{"--batches", !by_batches && given("--batches")}, {"--step", !by_batches && given("--step")}},
               "is for sgld and sgd-map; leave it out");
  refuse_given(
      {{"--tolerance", (samples || by_batches) && given("--tolerance")}},
      "is for inference that may end early; samplers and sgd-map do all iterations, so leave it out");
  const bool adapts = inference == Inference::vb || is_sampler(inference);
  refuse_given({{"--fixed-priors", !adapts && options.fixed_priors}},
               "is for vb, sgld, langevin and gibbs, whose priors adapt; leave it out");
  refuse_given({{"--prior", inference == Inference::ml && !options.prior.empty()}},
               "plays no part in ml; give --inference map, or another that has priors");
}

StudyChanges changes_of(const CoupleOptions& options) {
  StudyChanges changes{.tables = options.tables, .floor = options.floor};
  if (options.alone && options.relation.empty()) fail_usage("--alone needs --relation NAME");
  if (options.alone) changes.only = options.relation;
  if (options.rank > 0) changes.rank = static_cast<Index>(options.rank);
  if (!options.divergence.empty()) changes.power = divergence_of(options.divergence);
  if (!options.prior.empty()) {
    const std::size_t colon = std::min(options.prior.find(':'), options.prior.size());
    const auto shape = parse_number<double>(options.prior.substr(0, colon));
    const auto mean = parse_number<double>(options.prior.substr(std::min(colon + 1, options.prior.size())));
    if (!(shape && mean && *shape > 0 && *mean > 0))
      fail_usage("--prior {}: expected SHAPE:MEAN, both above 0, such as 0.5:10", options.prior);
    changes.prior = GammaPrior{*shape, *mean};
  }
  return changes;
}

CoupleJob read_couple_job(const CoupleOptions& options) {
  const Progress progress("reading");
  CoupleJob job{
      .file = read_study(options.study, changes_of(options)),
      .relation = options.relation,
      .kept_back = {.missing = options.missing, .cold_start = {}, .entity = options.entity, .test = {}},
      .options = options.fit,
      .top = options.top};
  check_outputs({options.output, options.predictions, options.drawing, options.page.path}, job.file.files);
  if (options.cold_start) job.kept_back.cold_start = static_cast<Index>(*options.cold_start);
  const Coupled& model = job.file.study.model;
  const int product = options.relation.empty() ? 0 : model.product_of(options.relation);
  if (!options.predictions.empty()) check_lists_cells(options.predictions, model.shape(product).order());
  if (!options.test.empty())
    job.kept_back.test = read_cells_of(job.file, product, options.test, options.input.read_options());
  const std::string& inference = options.inference.empty() ? job.file.inference : options.inference;
  if (!inference.empty()) job.options.inference = inference_of(inference);
  check_inference(options, job.options.inference);
  job.options.adapt_priors = !options.fixed_priors;
  job.options.seed = seed_or_new(options.seed);
  return job;
}

void print_coupled(const CoupleOptions& options, const CoupleJob& job, const CoupleOutcome& outcome) {
  const Coupled& model = outcome.fit.posterior.mean;
  fmt::print("{} {} {} with {} ({} sweeps{})\n", bold("Coupled"), model.products.size(),
             model.products.size() == 1 ? "relation" : "relations", name(job.options.inference),
             outcome.fit.history.size(), outcome.fit.converged ? "" : ", the limit");
  for (std::size_t v = 0; v < model.products.size(); ++v)
    fmt::print("  {}  ({}, {} entries, {}{})\n", formula(model, model.products[v]),
               outcome.study.tables[v].data.shape().text(), outcome.study.tables[v].data.size(),
               divergence_name(outcome.study.tables[v].power),
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

void write_coupled(const CoupleOptions& options, const CoupleJob& job, const CoupleOutcome& outcome) {
  if (!options.output.empty()) save(options.output, coupled_file(job, outcome));
  if (!options.predictions.empty()) {
    std::vector<float> values(outcome.predicted.begin(), outcome.predicted.end());
    write(options.predictions, {modes_of(outcome.study.model, outcome.product, outcome.study.entities),
                                SparseTensor(outcome.test->cells(), std::move(values), Unlisted::missing)});
  }
  const std::string diagram = to_svg(diagram_of(job.file));
  if (!options.drawing.empty()) write_text(options.drawing, diagram);
  std::vector<Drawing> drawings = drawings_of(coupled_file(job, outcome));
  drawings.insert(drawings.begin(), {diagram, "Entities, factors and relations"});
  write_page(options.page, "Report: coupled factorization", report_of(job, outcome), std::move(drawings),
             Payment({}, "", ""));
}

void run_couple(const CoupleOptions& options) {
  check_uses(options);
  if (options.sites.over_sites())
    return run_couple_sites(options.sites, {options.study, options.tables, options.output, options.rank,
                                            options.seed, options.json, options.page});
  CoupleJob job = couple_job(options);
  const CoupleOutcome outcome = [&] {
    Progress progress("coupling");
    job.options.observer = [&](const Iteration& step) {
      progress.show(step.number, step.limit, fmt::format("change {:.2g}", step.change));
      return true;
    };
    return run(job);
  }();
  write_coupled(options, job, outcome);
  if (options.json)
    fmt::print("{}\n", json_text(report_of(job, outcome), 2));
  else
    print_coupled(options, job, outcome);
}

void declare_coupled_fit(Verb& verb, CoupleOptions& options) {
  const char* const group = "Fitting";
  verb.add_option(
          "--inference", options.inference,
          "Points: ml, least divergence; map, with the Gamma priors of the study; als, least squares; "
          "hals, the same with factors of 0 or above; sgd-map, the mode by stochastic gradients. "
          "Distributions: vb, variational Bayes; samples by "
          "sgld, langevin, gibbs [what the study says, or ml]")
      .one_of(inference_names())
      .group(group);
  verb.add_flag(
          "--dispersion", options.fit.estimate_dispersion,
          "Estimate a dispersion for every relation, by which its divergence is divided (ml, map; samplers: "
          "of Euclidean relations)")
      .group(group);
  verb.add_flag("--fixed-priors", options.fixed_priors, "Do not adapt the priors to the data (vb, samplers)")
      .group(group);
  verb.add_option("--samples", options.fit.samples,
                  "Samples that are kept of the second half of the iterations; the first is burn-in")
      .positive()
      .show_default()
      .group(group);
  verb.add_option("--batches", options.fit.batches, "Parts of the entries, one per gradient (sgld, sgd-map)")
      .positive()
      .show_default()
      .group(group);
  verb.add_option("--step", options.fit.step, "The first step (sgld, sgd-map) [0.2]").group(group);
  verb.add_option("--starts", options.fit.starts,
                  "Random starts, of which the best is kept; not for samplers")
      .positive()
      .show_default()
      .group(group);
  verb.add_option("--iterations", options.fit.max_iterations,
                  "Sweeps at most; samplers and sgd-map do all of them")
      .positive()
      .show_default()
      .group(group);
  verb.add_option("--tolerance", options.fit.tolerance, "Stop when a sweep changes the objective less")
      .show_default()
      .group(group);
}

constexpr const char* kChanges = "Changes of the study";

void declare_drawing(Verb& verb, CoupleOptions& options) {
  verb.add_option("--draw", options.drawing,
                  "Where a drawing of the entities, factors and relations goes (.svg)");
}

void declare_choice(Verb& verb, CoupleOptions& options) {
  verb.add_flag("--alone", options.alone, "Leave out all relations but the one of --relation")
      .group(kChanges);
}

void declare_changes(Verb& verb, CoupleOptions& options) {
  verb.add_option("--divergence", options.divergence, "Of all relations: a name, or p from 0 to 3")
      .group(kChanges);
  verb.add_option("--floor", options.floor, "Of all relations: smaller values count as this one")
      .group(kChanges);
  verb.add_option("--prior", options.prior, "Gamma prior of factors without one of their own: SHAPE:MEAN")
      .group(kChanges);
}

void declare_held_out(Verb& verb, CoupleOptions& options) {
  const char* const group = "Held-out cells";
  verb.add_option("--relation", options.relation, "The relation whose cells are held out [the first]")
      .group(group);
  verb.add_option("--missing", options.missing, "Hold out this fraction of its cells, zeros included")
      .group(group);
  verb.add_option("--cold-start", options.cold_start, "Hold out all cells of so many positions of an entity")
      .group(group);
  verb.add_option("--entity", options.entity, "That entity [the first of the relation]").group(group);
  verb.add_option("--test", options.test, "Hold out the cells of this file, which has their values")
      .group(group);
  verb.add_option("--top", options.top, "Precision among so many cells of each position of the first entity")
      .positive()
      .show_default()
      .group(group);
  verb.add_option("--predictions", options.predictions, "Where the predictions of held-out cells go")
      .group(group);
}

}  // namespace

CoupleJob couple_job(const CoupleOptions& options) {
  check_couple(options);
  if (has_sites(options.study))
    fail_usage("{} has sites, which do not show each other their tables; give --trust sites", options.study);
  return read_couple_job(options);
}

CoupledFile coupled_file(const CoupleJob& job, const CoupleOutcome& outcome) {
  return {outcome.fit.posterior, outcome.study.entities, std::string(name(job.options.inference))};
}

void CoupleOptions::declare(Verb& verb) {
  verb.add_option("STUDY", study, "The study file (.toml): entities, relations, their models").required();
  verb.add_option("-o,--output", output, "Where the model goes (.npz)");
  const auto in_one_place = [&](const auto& declare) {
    uses.declare(verb, kOnePlace, [&] { declare(verb, *this); });
  };
  in_one_place(declare_drawing);
  verb.add_option("--tables", tables, "The folder of its tables [that of the study file]").group(kChanges);
  in_one_place(declare_choice);
  verb.add_option("--rank", rank, "The size of latent indices that [sizes] does not name")
      .positive()
      .group(kChanges);
  in_one_place(declare_changes);
  in_one_place(declare_held_out);
  declare_json(verb, json);
  in_one_place(declare_coupled_fit);
  sites.declare(verb, uses);
  page.declare(verb);
  uses.declare(verb, kOnePlace, [&] { input.declare(verb); });
  declare_seed(verb, seed);
  declare_threads(verb);
}

void add_couple(Verb& command) {
  auto options = std::make_shared<CoupleOptions>();
  Verb verb = command.add_verb("couple", "Fit one model to several tables that share entities");
  options->declare(verb);
  verb.footer(
      "The study file is described in docs/study-file.md.\n"
      "Example:\n  tulle couple study.toml --missing 0.8 --inference vb --json\n"
      "  tulle couple study.toml --cold-start 5 --entity user -o coupled.npz --draw study.svg\n"
      "  tulle couple shops.toml --trust sites --epsilon 1 --delta 1e-5 --range 1:5 -o films.npz");
  verb.callback([options] { run_couple(*options); });
}

}  // namespace tulle::cli
