#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/coupled/request.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/write_page.hpp>

#include <nlohmann/json.hpp>

namespace tulle {
namespace {

// The uses of options.
constexpr const char* kPlain = "without privacy";
constexpr const char* kPrivate = "of a private study";

void check(const StudyOptions& options) {
  const char* const unprotected =
      "is for a private study; state in the study whom it protects, as private = [\"user\"]";
  options.uses.refuse(kPrivate, unprotected);
  refuse_given({{"epsilon", options.privacy.epsilon.has_value()}}, unprotected);
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
  changes.divergence = options.divergence;
  changes.prior = options.prior;
  return changes;
}

// That of the options, else of the study; where neither states one, noise is estimated with the factors.
void choose_inference(const StudyOptions& options, CoupleJob& job) {
  if (options.inference) {
    job.options.inference = *options.inference;
  } else if (!job.file.inference.empty()) {
    job.options.inference = inference_of(job.file.inference);
  } else {
    job.options.inference = inference_for(job.study);
    job.options.estimate_dispersion |= job.options.inference == Inference::gibbs;
  }
}

CoupleJob couple_job(const StudyOptions& options, StudyFile file) {
  check(options);
  CoupleJob job{
      .file = std::move(file),
      .relation = options.relation,
      .kept_back = {.missing = options.missing, .cold_start = {}, .entity = options.entity, .test = {}},
      .options = options.fit,
      .top = options.top};
  std::vector<std::string> inputs = job.file.inputs();
  inputs.push_back(options.test);
  check_outputs({options.output, options.predictions, options.drawing, options.page.path}, inputs);
  job.study = read_tables(job.file);
  if (options.cold_start) job.kept_back.cold_start = static_cast<Index>(*options.cold_start);
  const Coupled& model = job.study.model;
  const int product = options.relation.empty() ? 0 : model.product_of(options.relation);
  if (!options.predictions.empty()) check_lists_cells(options.predictions, model.shape(product).order());
  if (!options.test.empty())
    job.kept_back.test = read_cells_of(job.file, job.study, product, options.test, options.reading);
  choose_inference(options, job);
  check_inference(options, job.options.inference);
  job.options.adapt_priors = !options.fixed_priors;
  job.options.seed = seed_or_new(options.seed);
  return job;
}

// The relations of the users as one table, with public ones beside it. Its unit is the user, who comes and
// goes.
CompletionOptions completion_of(const StudyOptions& options, StudyFile file) {
  options.uses.refuse(kPlain,
                      "is for a study without privacy, and this one states private = [..]; leave it out");
  file.sites.front().test = options.test;
  file.sites.front().holdout = options.missing;
  CompletionOptions asked{.data = {.train = options.study, .test = options.test, .holdout = options.missing},
                          .privacy = options.privacy,
                          .ledger = options.ledger,
                          .method = options.method,
                          .settings = options.settings,
                          .seed = options.seed,
                          .output = options.output,
                          .user_output = options.user_output,
                          .keep_releases = options.keep_releases,
                          .page = options.page};
  asked.privacy.unit = Unit::user;
  asked.privacy.user_mode = file.private_entity;
  asked.privacy.relation = Relation::add_remove;
  if (file.rank) asked.fit.ranks = {static_cast<int>(*file.rank)};
  asked.study = std::make_shared<const StudyFile>(std::move(file));
  return asked;
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
           "samples by sgld, langevin, gibbs [of the study, else gibbs with @dispersion for Euclidean tables "
           "with missing cells, ml otherwise]")
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

void declare_private(OptionTable& table, StudyOptions& options) {
  const char* const group = "Private studies";
  table.add("user-output", options.user_output,
            "File for the model of a private study with every user's own row, for the users alone");
  declare_releases(table, options.keep_releases);
  options.privacy.BudgetOptions::declare(table);
  declare_range(table, options.privacy.range);
  options.ledger.declare(table);
  table.add("method", options.method, "Method of a private study; see: tulle methods")
      .show_default()
      .group(group);
  declare_settings(table, &Method::couples, options.settings, group);
}

constexpr const char* kChanges = "Changes of the study";

void declare_changes(OptionTable& table, StudyOptions& options) {
  table.add("draw", options.drawing, "File for a drawing of the entities, factors and relations (.svg)");
  table.add("alone", options.alone, "Fit only the relation of @relation").group(kChanges);
  table
      .add("divergence", options.divergence, divergence_of,
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

constexpr const char* kHeldOut = "Held-out cells";

void declare_held_out(OptionTable& table, StudyOptions& options) {
  table.add("relation", options.relation, "Relation whose cells are held out [the first]").group(kHeldOut);
  table.add("cold-start", options.cold_start, "Number of positions of an entity whose cells are all held out")
      .group(kHeldOut);
  table.add("entity", options.entity, "Entity of @cold-start [the first of the relation]").group(kHeldOut);
  table
      .add(
          "top", options.top,
          "Number of best predicted cells per position of the first entity among which precision is measured")
      .positive()
      .show_default()
      .group(kHeldOut);
  table.add("predictions", options.predictions, "File for the predictions of held-out cells").group(kHeldOut);
}

}  // namespace

std::variant<CoupleJob, CompletionOptions> coupled_request(const StudyOptions& options) {
  StudyFile file = read_study(options.study, changes_of(options));
  if (file.has_sites())
    fail_usage("{} has sites, which do not show each other their tables; run tulle federate", options.study);
  if (file.is_private()) return completion_of(options, std::move(file));
  return couple_job(options, std::move(file));
}

CoupledFile coupled_file(const CoupleJob& job, const CoupleOutcome& outcome) {
  return {outcome.fit.posterior, outcome.study.entities, std::string(name(job.options.inference))};
}

void StudyOptions::declare(OptionTable& table) {
  table.add("study", study, "Study file (.toml): entities, relations, their models").required();
  table.add("output", output, "File for the model (.npz)");
  table.add("tables", tables, "Folder of the study's tables [that of the study file]").group(kChanges);
  table.add("rank", rank, "Size of every latent index that is not in the study's sizes")
      .positive()
      .group(kChanges);
  table.add("missing", missing, "Fraction of a relation's cells to hold out, zeros included").group(kHeldOut);
  table.add("test", test, "Cells to hold out, with their values").group(kHeldOut);
  uses.declare(table, kPlain, [&] {
    declare_changes(table, *this);
    declare_held_out(table, *this);
    declare_coupled_fit(table, *this);
    declare_reading(table, reading);
  });
  uses.declare(table, kPrivate, [&] { declare_private(table, *this); });
  page.declare(table);
  declare_seed(table, seed);
  declare_threads(table);
  table.mark_everyday({"output", "rank", "missing", "test", "predictions", "inference", "epsilon", "delta",
                       "range", "account", "method"});
}

}  // namespace tulle
