#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/site_study.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/coupled/request.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/write_page.hpp>

#include <nlohmann/json.hpp>

namespace tulle {
namespace {

// The use of all options: whether one was given.
constexpr const char* kAll = "all";

void check(const StudyOptions& options) {
  if (options.missing.has_value() + options.cold_start.has_value() + !options.test.empty() > 1)
    fail_usage("@missing, @cold-start and @test exclude each other; give one");
  if (!options.predictions.empty() && !options.missing && !options.cold_start && options.test.empty())
    fail_usage("@predictions are of held-out cells; give @missing, @cold-start or @test");
  if (!options.entity.empty() && !options.cold_start) fail_usage("@entity is for @cold-start; omit it");
  const bool held_out = options.missing || options.cold_start || !options.test.empty();
  refuse_given({{"top", !held_out && options.uses.given("top")},
                {"relation", !held_out && !options.alone && !options.relation.empty()}},
               "is for held-out cells; give @missing, @cold-start or @test, or omit it");
  check_drawing("draw", options.drawing);
  if (!(options.fit.tolerance >= 0)) fail_usage("@tolerance {}: give 0 or more", options.fit.tolerance);
  if (options.test.empty()) {
    const char* const reason = "is for @test; the study says how its tables are read";
    refuse_reading(options.reading, reason);
    refuse_given({{"header", options.reading.header.has_value()}}, reason);
  }
  check_model_outputs({options.output}, {options.study, options.test});
  options.page.check(false, "", true, options.study);
  check_outputs({options.output, options.predictions, options.drawing, options.page.path},
                {options.study, options.test});
}

// Options that this inference would ignore.
void check_inference(const StudyOptions& options, Inference inference) {
  const bool by_batches = inference == Inference::sgld || inference == Inference::sgd_map;
  const auto given = [&](const char* name) { return options.uses.given(name); };
  const bool samples = is_sampler(inference);
  refuse_given({{"samples", !samples && given("samples")}},
               "is for sgld, langevin and gibbs, which sample; omit it");
  refuse_given({{"batches", !by_batches && given("batches")}, {"step", !by_batches && given("step")}},
               "is for sgld and sgd-map; omit it");
  refuse_given({{"tolerance", (samples || by_batches) && given("tolerance")}},
               "is for inference that may end early; samplers and sgd-map do all iterations, so omit it");
  const bool adapts = inference == Inference::vb || is_sampler(inference);
  refuse_given({{"fixed-priors", !adapts && options.fixed_priors}},
               "is for vb, sgld, langevin and gibbs, whose priors adapt; omit it");
  refuse_given({{"prior", inference == Inference::ml && options.prior}},
               "plays no part in ml; give @inference map, or another that has priors");
}

StudyChanges changes_of(const StudyOptions& options) {
  StudyChanges changes{.tables = options.tables, .floor = options.floor};
  if (options.alone && options.relation.empty()) fail_usage("@alone needs @relation NAME");
  if (options.alone) changes.only = options.relation;
  if (options.rank > 0) changes.rank = static_cast<Index>(options.rank);
  changes.power = options.power;
  changes.prior = options.prior;
  return changes;
}

CoupleJob read_couple_job(const StudyOptions& options) {
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
    job.kept_back.test = read_cells_of(job.file, product, options.test, options.reading);
  if (!job.file.inference.empty()) job.options.inference = inference_of(job.file.inference);
  if (options.inference) job.options.inference = *options.inference;
  check_inference(options, job.options.inference);
  job.options.adapt_priors = !options.fixed_priors;
  job.options.seed = seed_or_new(options.seed);
  return job;
}

GammaPrior prior_of(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto shape = parse_number<double>(text.substr(0, colon));
  const auto mean = parse_number<double>(text.substr(std::min(colon + 1, text.size())));
  if (!(shape && mean && *shape > 0 && *mean > 0))
    fail_usage("@prior {}: expected SHAPE:MEAN, both above 0, such as 0.5:10", text);
  return {*shape, *mean};
}

void declare_coupled_fit(OptionTable& table, StudyOptions& options) {
  const char* const group = "Fitting";
  table
      .add("inference", options.inference, inference_of,
           "Point: ml (least divergence), map (the study's Gamma priors), sgd-map (map by stochastic "
           "gradients), als (least squares), hals (als, factors >= 0); distribution: vb (variational Bayes), "
           "samples by sgld, langevin, gibbs [of the study, else ml]")
      .one_of(inference_names())
      .group(group);
  table
      .add("dispersion", options.fit.estimate_dispersion,
           "Estimate a dispersion per relation, which divides its divergence (ml, map; samplers: Euclidean "
           "relations)")
      .group(group);
  table.add("fixed-priors", options.fixed_priors, "Do not adapt the priors to the data (vb, samplers)")
      .group(group);
  table
      .add("samples", options.fit.samples,
           "Number of samples to keep from the second half of the iterations; the first half is burn-in")
      .positive()
      .show_default()
      .group(group);
  table.add("batches", options.fit.batches, "Number of batches of entries, one per gradient (sgld, sgd-map)")
      .positive()
      .show_default()
      .group(group);
  table.add("step", options.fit.step, "Initial step size (sgld, sgd-map) [0.2]").group(group);
  table
      .add("starts", options.fit.starts,
           "Number of random starts, of which the best is kept; not for samplers")
      .positive()
      .show_default()
      .group(group);
  table
      .add("iterations", options.fit.max_iterations,
           "Maximum number of sweeps; samplers and sgd-map do all of them")
      .positive()
      .show_default()
      .group(group);
  table
      .add("tolerance", options.fit.tolerance,
           "Stop when the relative change of the objective in a sweep is below this")
      .show_default()
      .group(group);
}

constexpr const char* kChanges = "Changes of the study";

void declare_drawing(OptionTable& table, StudyOptions& options) {
  table.add("draw", options.drawing, "File for a drawing of the entities, factors and relations (.svg)");
}

void declare_choice(OptionTable& table, StudyOptions& options) {
  table.add("alone", options.alone, "Fit only the relation of @relation").group(kChanges);
}

void declare_changes(OptionTable& table, StudyOptions& options) {
  table
      .add("divergence", options.power, divergence_of,
           "Divergence of all relations: a name, or p from 0 to 3")
      .group(kChanges);
  table.add("floor", options.floor, "Smallest value of all relations; smaller values count as this one")
      .group(kChanges);
  table
      .add("prior", options.prior, prior_of,
           "Gamma prior of factors without a prior of their own: SHAPE:MEAN")
      .joined_by(':')
      .group(kChanges);
}

void declare_held_out(OptionTable& table, StudyOptions& options) {
  const char* const group = "Held-out cells";
  table.add("relation", options.relation, "Relation whose cells are held out [the first]").group(group);
  table.add("missing", options.missing, "Fraction of that relation's cells to hold out, zeros included")
      .group(group);
  table.add("cold-start", options.cold_start, "Number of positions of an entity whose cells are all held out")
      .group(group);
  table.add("entity", options.entity, "Entity of @cold-start [the first of the relation]").group(group);
  table.add("test", options.test, "Cells to hold out, with their values").group(group);
  table
      .add(
          "top", options.top,
          "Number of best predicted cells per position of the first entity among which precision is measured")
      .positive()
      .show_default()
      .group(group);
  table.add("predictions", options.predictions, "File for the predictions of held-out cells").group(group);
}

}  // namespace

CoupleJob couple_job(const StudyOptions& options) {
  check(options);
  if (has_sites(options.study))
    fail_usage("{} has sites, which do not show each other their tables; run tulle federate", options.study);
  return read_couple_job(options);
}

CoupledFile coupled_file(const CoupleJob& job, const CoupleOutcome& outcome) {
  return {outcome.fit.posterior, outcome.study.entities, std::string(name(job.options.inference))};
}

void StudyOptions::declare(OptionTable& table) {
  uses.declare(table, kAll, [&] {
    table.add("study", study, "Study file (.toml): entities, relations, their models").required();
    table.add("output", output, "File for the model (.npz)");
    declare_drawing(table, *this);
    table.add("tables", tables, "Folder of the study's tables [that of the study file]").group(kChanges);
    declare_choice(table, *this);
    table.add("rank", rank, "Size of every latent index that is not in the study's sizes")
        .positive()
        .group(kChanges);
    declare_changes(table, *this);
    declare_held_out(table, *this);
    declare_coupled_fit(table, *this);
    page.declare(table, false);
    declare_reading(table, reading);
    declare_seed(table, seed);
    declare_threads(table);
  });
}

}  // namespace tulle
