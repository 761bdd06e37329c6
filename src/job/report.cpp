#include "run_fields.hpp"

#include <tulle/base/json.hpp>
#include <tulle/data/coupling.hpp>
#include <tulle/job/report.hpp>

#include <cmath>

namespace tulle {
namespace {

Json lines_of(const std::vector<Iteration>& history, bool is_private) {
  Json lines = Json::array();
  for (const Iteration& step : history) {
    lines.push_back({{"objective", step.objective}, {"change", step.change}});
    if (is_private) continue;
    lines.back()["seconds"] = step.seconds;
    if (!std::isnan(step.validation_rmse)) lines.back()["validation_rmse"] = step.validation_rmse;
  }
  return lines;
}

// With the modes of the model that are their entities, from 1 on.
Json relations_of(const Coupling& coupling) {
  Json relations = Json::array();
  for (const Coupling::Relation& relation : coupling.relations) {
    std::vector<int> modes;
    for (int mode : relation.modes) modes.push_back(mode + 1);
    relations.push_back({{"name", relation.name}, {"modes", modes}});
  }
  return relations;
}

}  // namespace

std::string named_method(const std::string& method, const std::string& picked) {
  return picked.empty() ? method : fmt::format("{}, picked by {}", picked, method);
}

Json report_of(const CompletionJob& job, const CompletionOutcome& outcome, bool history) {
  const Completion& fit = outcome.completion;
  const Method& method = job.found();
  Json report;
  report["method"] = job.method;
  if (!outcome.picked.empty()) report["picked"] = outcome.picked;
  report["model"] = name(job.fit.model);
  report["solver"] = fit.solver;
  report["shape"] = shape(fit.model).text();
  if (job.fit.coupling) {
    report["trust"] = "central";
    report["relations"] = relations_of(*job.fit.coupling);
  }
  OwnerFields owner;
  owner.add(report, "train_cells", outcome.train_cells);
  if (outcome.tested) {
    add(outcome.scores, report, owner);
    add(outcome.baselines, report, owner);
    if (fit.with_user_rows) add_both(outcome.scores, outcome.published_scores, report, owner);
  }
  report["iterations"] = fit.history.size();
  report["converged"] = fit.converged;
  add_run_fields(report, owner, outcome.seconds, job.fit.seed, fit.remarks, method, fit.guarantee);
  if (history) report["history"] = lines_of(fit.history, method.is_private());
  if (method.is_private()) {
    owner.add(report, "owner_notes", outcome.owner_notes);
    owner.mark(report);
  }
  return report;
}

Json report_of(const TopicJob& job, const TopicsFound& found) {
  const Topics& model = found.outcome.model;
  const Method& method = job.found();
  Json report;
  report["method"] = job.method;
  report["model"] = found.mixture ? "mixture" : "topics";
  report["documents"] = found.documents;
  report["words"] = model.topics.rows();
  report["topics"] = model.count();
  report["weights"] = std::vector<double>(model.weights.begin(), model.weights.end());
  if (model.mixture()) report["variance"] = model.variance;
  if (!model.stands_out.empty()) report["stands_out"] = model.stands_out;
  OwnerFields owner;
  if (found.error) owner.add(report, "e_comp", *found.error);
  add_run_fields(report, owner, found.seconds, job.options.seed, found.outcome.remarks, method,
                 found.outcome.guarantee);
  if (method.is_private()) {
    owner.add(report, "owner_notes", found.owner_notes);
    owner.mark(report);
  }
  return report;
}

Json report_of(const CountJob& job, const CountsFound& found) {
  const Counts& model = found.outcome.model;
  Json report;
  report["method"] = job.method;
  report["model"] = "counts";
  report["shape"] = model.shape().text();
  const Estimated events = model.sum(Block(static_cast<std::size_t>(model.shape().order())));
  report["events"] = {{"mean", events.mean}, {"stddev", events.stddev}};
  OwnerFields owner;
  add_run_fields(report, owner, found.seconds, job.terms.seed.value_or(0), found.outcome.remarks, job.found(),
                 found.outcome.guarantee);
  if (!job.terms.seed) report.erase("seed");  // nothing but noise is random
  owner.add(report, "owner_notes", found.owner_notes);
  owner.mark(report);
  return report;
}

std::string with_own_rows(const Completion& completion) {
  if (!completion.with_user_rows) return "";
  return completion.guarantee.joint ? "with each user's own row" : "with the site's own rows";
}

const Model& owners_model(const Completion& completion) {
  return completion.with_user_rows ? open_for_the_data_owner(*completion.with_user_rows) : completion.model;
}

}  // namespace tulle
