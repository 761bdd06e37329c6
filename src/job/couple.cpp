#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/hide.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/data/popularity.hpp>
#include <tulle/job/couple.hpp>

#include <algorithm>
#include <chrono>

namespace tulle {
namespace {

int entity_mode(const Study& study, int product, const std::string& entity) {
  if (entity.empty()) return 0;
  std::vector<std::string> names;
  for (const Mode& mode : modes_of(study.model, product, study.entities)) {
    if (names.size() == study.model.products[product].axes.size()) break;  // a column's second mode
    if (mode.name == entity) return static_cast<int>(names.size());
    names.push_back(mode.name);
  }
  fail_unknown("entity of the relation", entity, names);
}

std::optional<SparseTensor> keep_back(Study& study, int product, const KeptBack& kept, std::uint64_t seed) {
  if (kept.missing.has_value() + kept.cold_start.has_value() + kept.test.has_value() > 1)
    fail_usage("missing cells, a cold start and test cells exclude each other; give one");
  if (kept.missing) return hide_cells(study, product, *kept.missing, seed);
  if (kept.cold_start)
    return hide_positions(study, product, entity_mode(study, product, kept.entity), *kept.cold_start, seed);
  if (!kept.test) return std::nullopt;
  SparseTensor test = observed(*kept.test);
  hide_listed(study, product, test.cells());
  return test;
}

LinkScores link_scores(const Study& study, int product, const SparseTensor& test,
                       std::span<const double> predicted, int top) {
  LinkScores scores;
  scores.cells = test.size();
  scores.rmse = rmse(test.values(), predicted);
  const SparseTensor& train = study.tables[static_cast<std::size_t>(product)].data;
  scores.baselines = baselines(train, test);
  scores.links =
      static_cast<std::size_t>(std::ranges::count_if(test.values(), [](float v) { return v > 0; }));
  if (scores.links == 0 || scores.links == scores.cells) return scores;
  std::vector<float> links;
  for (float value : test.values()) links.push_back(value > 0 ? 1.0f : 0.0f);
  scores.auc = auc(links, predicted);
  scores.precision = precision_at_k(test.column(0), links, predicted, top, 1);
  scores.auc_within = auc_within(test.column(0), links, predicted);
  scores.popularity_auc = auc(links, popularity(train, test.cells()));
  if (const auto listed = popularity_among_listed(study, product, test.cells()))
    scores.listed_popularity_auc = auc(links, *listed);
  return scores;
}

Json relation_json(const Study& study, const Coupled& model, std::size_t v) {
  const Table& table = study.tables[v];
  const auto power = power_of(table.divergence);
  return {{"name", model.products[v].name},
          {"formula", formula(model, model.products[v])},
          {"shape", table.data.shape().text()},
          {"entries", table.data.size()},
          {"unlisted", table.data.unlisted() == Unlisted::zero ? "zero" : "missing"},
          power ? Json::object_t::value_type{"p", *power}
                : Json::object_t::value_type{"divergence", divergence_name(table.divergence)},
          {"weight", table.weight},
          {"dispersion", model.products[v].dispersion}};
}

Json or_null(const std::optional<double>& value) {
  return value ? finite_or_null(*value) : Json();
}

}  // namespace

CoupleOutcome run(const CoupleJob& job) {
  CoupleOutcome outcome;
  outcome.study = job.study;
  outcome.product = job.relation.empty() ? 0 : outcome.study.model.product_of(job.relation);
  outcome.test = keep_back(outcome.study, outcome.product, job.kept_back, job.options.seed);
  const auto started = std::chrono::steady_clock::now();
  outcome.fit = fit_study(outcome.study, job.options);
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (job.options.inference == Inference::ml &&
      std::ranges::any_of(outcome.study.priors, [](const auto& prior) { return prior.has_value(); }))
    outcome.fit.remarks.emplace_back("The priors of the study play no part in ml; map has them.");
  if (!outcome.test) return outcome;
  outcome.predicted = outcome.fit.posterior.predict(outcome.product, outcome.test->cells());
  outcome.scores = link_scores(outcome.study, outcome.product, *outcome.test, outcome.predicted, job.top);
  if (auto note = no_better_note(outcome.scores->rmse, outcome.scores->baselines, false))
    outcome.fit.remarks.push_back(std::move(*note));
  return outcome;
}

Json report_of(const CoupleJob& job, const CoupleOutcome& outcome) {
  const Coupled& model = outcome.fit.posterior.mean;
  Json report;
  report["title"] = job.file.title;
  report["inference"] = name(job.options.inference);
  report["relations"] = Json::array();
  for (std::size_t v = 0; v < outcome.study.tables.size(); ++v)
    report["relations"].push_back(relation_json(outcome.study, model, v));
  if (outcome.scores) {
    report["test_relation"] = model.products[outcome.product].name;
    report["test_cells"] = outcome.scores->cells;
    report["test_links"] = outcome.scores->links;
    report["test_rmse"] = finite_or_null(outcome.scores->rmse);
    OwnerFields not_private;
    add(outcome.scores->baselines, report, not_private);
    report["test_auc"] = or_null(outcome.scores->auc);
    report["test_auc_within"] = or_null(outcome.scores->auc_within);
    report[fmt::format("test_precision_at_{}", job.top)] = or_null(outcome.scores->precision);
    report["popularity_auc"] = or_null(outcome.scores->popularity_auc);
    report["listed_popularity_auc"] = or_null(outcome.scores->listed_popularity_auc);
  }
  report["objective"] = outcome.fit.history.back().objective;
  report["iterations"] = outcome.fit.history.size();
  report["converged"] = outcome.fit.converged;
  report["seconds"] = outcome.seconds;
  report["seed"] = job.options.seed;
  report["threads"] = threads();
  report["remarks"] = outcome.fit.remarks;
  report["guarantee"] = nullptr;
  return report;
}

std::string text(const LinkScores& scores, int top) {
  std::string line = fmt::format("RMSE {:.5g} on {} cells", scores.rmse, scores.cells);
  if (scores.auc)
    line += fmt::format(", {} of them links: AUC {:.4f} (popularity alone {:.4f}), precision at {} {:.4f}",
                        scores.links, *scores.auc, *scores.popularity_auc, top, *scores.precision);
  if (scores.baselines) line += "; " + text(*scores.baselines);
  return line;
}

}  // namespace tulle
