#include <tulle/audit/request.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/options/common.hpp>

#include <algorithm>
#include <set>

namespace tulle {
namespace {

// One form of a method, of an audit entry or of a kind of neighbouring pairs.
struct Form {
  std::string name, model;
  Neighbours neighbours;
  Calibration calibration;
};

Form form_of(const AuditEntry& entry) {
  return {entry.name, entry.model, entry.neighbours, entry.calibration};
}
Form form_of(const PairKind& kind) {
  return {kind.method, kind.model, kind.neighbours, Calibration::sound};
}

bool wanted(const Form& form, const AuditRequest& options) {
  const auto agrees = [](const std::string& asked, std::string_view has) {
    return asked.empty() || asked == has;
  };
  const bool published = form.calibration == Calibration::published;
  return agrees(options.method, form.name) && agrees(options.model, form.model) &&
         agrees(options.calibration, published ? "published" : "sound") &&
         agrees(options.unit, name(form.neighbours.unit)) &&
         agrees(options.relation, name(form.neighbours.relation));
}

// The requested items of `all`.
template <class Item>
std::vector<Item> wanted_of(const std::vector<Item>& all, const AuditRequest& options) {
  std::vector<Item> found;
  std::set<std::string> names;
  for (const Item& item : all) {
    names.insert(form_of(item).name);
    if (wanted(form_of(item), options)) found.push_back(item);
  }
  if (!options.method.empty() && !names.contains(options.method))
    fail_unknown(options.exact ? "exact audit of" : "audit of", options.method,
                 std::vector<std::string>(names.begin(), names.end()));
  return found;
}

[[noreturn]] void fail_without_form(const AuditRequest& options) {
  fail_usage("{} has no such form to audit{}; leave @model, @unit, @relation or @calibration out",
             options.method.empty() ? "nothing" : options.method, options.exact ? " exactly" : "");
}

std::vector<AuditEntry> chosen(const AuditRequest& options) {
  if (options.all == !options.method.empty()) fail_usage("name a method or mechanism to audit, or give @all");
  std::vector<AuditEntry> entries = wanted_of(audit_entries(), options);
  if (options.quick) std::erase_if(entries, [](const AuditEntry& entry) { return entry.slow; });
  if (entries.empty()) fail_without_form(options);
  return entries;
}

AuditRow run_entry(const AuditEntry& entry, double epsilon, const AuditRequest& options) {
  AuditRow row{entry, {epsilon, options.delta.value_or(entry.delta)}, {}};
  row.finding = audit(entry, row.budget,
                      {.trials = options.trials.value_or(options.quick ? entry.quick_trials : entry.trials),
                       .confidence = options.confidence,
                       .seed = options.seed.value_or(1)});
  return row;
}

Json as_json(const std::optional<Attack>& attack) {
  if (!attack) return nullptr;
  return {{"epsilon", attack->epsilon}, {"attacker", attack->attacker}, {"bound", attack->bound},
          {"trials", attack->trials},   {"guesses", attack->guesses},   {"right", attack->right}};
}

Json as_json(const Budget& budget) {
  return {{"epsilon", budget.epsilon}, {"delta", budget.delta}};
}

// Null for the claim of a form without a guarantee, and for the cost of one without a proof.
Json as_json(const AuditRow& row) {
  const auto& [entry, budget, finding] = row;
  const Guarantee::Status status = finding.guarantee.status;
  const Budget claimed{finding.claimed_epsilon, budget.delta};
  Json json{{"name", entry.name},
            {"calibration", entry.calibration == Calibration::published ? "published" : "sound"},
            {"model", entry.model},
            {"unit", name(entry.neighbours.unit)},
            {"relation", name(entry.neighbours.relation)},
            {"canary", finding.canary},
            {"claimed", status != Guarantee::Status::none ? as_json(claimed) : Json()},
            {"accounted", status == Guarantee::Status::proven ? as_json(finding.guarantee.used) : Json()},
            {"exact_ratio", finding.exact ? Json(finding.exact->ratio()) : Json()},
            {"trials", finding.trials},
            {"confidence", finding.confidence},
            {"epsilon_at_least", finding.epsilon()},
            {"black_box", as_json(finding.black_box)},
            {"white_box", as_json(finding.white_box)},
            {"verdict", name(finding.verdict())}};
  if (finding.recovery)
    json["value_recovered"] = {{"trials", finding.recovery->trials},
                               {"right", finding.recovery->right},
                               {"values", finding.recovery->values}};
  return json;
}

// ---- The exact audit ----

std::vector<ExactSummary> exact_audit(const AuditRequest& options, std::uint64_t pairs) {
  std::vector<PairKind> kinds = pair_kinds();
  for (PairKind& kind : kinds)
    if (std::ranges::count(models_of(kind), options.model) > 0) kind.model = options.model;
  kinds = wanted_of(kinds, options);
  if (kinds.empty()) fail_without_form(options);
  return audit_random_pairs(kinds, pairs, options.seed.value_or(1));
}

Json as_json(const ExactSummary& summary) {
  return {{"name", summary.kind.method},
          {"model", summary.kind.model},
          {"unit", name(summary.kind.neighbours.unit)},
          {"relation", name(summary.kind.neighbours.relation)},
          {"over_sites", summary.kind.over_sites},
          {"pairs", summary.pairs},
          {"refused", summary.refused},
          {"releases", summary.releases},
          {"largest_ratio", summary.ratio},
          {"largest_loss", summary.loss},
          {"violated", summary.violated},
          {"violations", summary.violations}};
}

Json as_json(const std::vector<ExactSummary>& summaries) {
  Json lines = Json::array();
  for (const ExactSummary& summary : summaries) lines.push_back(as_json(summary));
  return lines;
}

std::vector<AuditRow> run_attacks(const AuditRequest& options, const AuditProgress& progress) {
  const std::vector<AuditEntry> entries = chosen(options);
  std::vector<double> epsilons{0.5, 1, 4};
  if (options.epsilon)
    epsilons = {*options.epsilon};
  else if (options.quick || !options.all)
    epsilons = {1};
  std::vector<AuditRow> rows;
  const auto total = static_cast<int>(entries.size() * epsilons.size());
  for (const AuditEntry& entry : entries)
    for (double epsilon : epsilons) {
      if (progress) progress(static_cast<int>(rows.size()), total, entry.name);
      rows.push_back(run_entry(entry, epsilon, options));
    }
  return rows;
}

}  // namespace

AuditFound audit(const AuditRequest& options, const AuditProgress& progress) {
  if (options.exact && !(options.report.empty() && options.output.empty()))
    fail_usage("@exact writes no file: leave out {}[, or take @json]",
               with_marks(options.report.empty() ? "@output" : "@report"));
  check_outputs({options.report, options.output}, {});
  if (options.exact) return {{}, exact_audit(options, options.pairs.value_or(2000))};
  AuditFound found{run_attacks(options, progress), {}};
  if (!options.report.empty()) write_text(options.report, to_page(found.rows));
  if (options.pairs) found.exact = exact_audit(options, *options.pairs);
  if (!options.output.empty()) write_text(options.output, to_markdown(found.rows, found.exact));
  return found;
}

Json report_of(const AuditRequest& options, const AuditFound& found) {
  if (options.exact) return {{"exact", as_json(found.exact)}};
  Json findings = Json::array();
  for (const AuditRow& row : found.rows) findings.push_back(as_json(row));
  Json report{{"findings", findings}, {"false_alarm_rate", false_alarm_rate(found.rows)}};
  if (options.pairs) report["exact"] = as_json(found.exact);
  return report;
}

void AuditRequest::declare(OptionTable& table) {
  table.add("target", method, "Method to audit, or a mechanism such as laplace");
  table.add("all", all, "Audit everything, at epsilon 0.5, 1 and 4");
  table.add("exact", exact,
            "Compare the exact answers of every release on random neighbouring pairs, without attacks");
  table.add("pairs", pairs,
            "Number of pairs to compare [2000]; without @exact: compare them in addition to attacks");
  table.add("quick", quick, "Use fewer trials, and only epsilon 1");
  table.add("model", model, "Audit only this model").one_of({"cp", "tucker", "tubal", "network"});
  table.add("unit", unit, "Audit only this unit").one_of({"entry", "event", "user", "document", "example"});
  table.add("relation", relation, "Audit only this relation").one_of({"replace", "add-remove", "zero-out"});
  table.add("calibration", calibration, "Audit only this form").one_of({"sound", "published"});
  table.add("epsilon", epsilon, "Epsilon to run the method with [1]").positive();
  table.add("delta", delta, "Delta to run the method with [0, or 1e-5 if it needs one]").between(0.0, 0.5);
  table.add("trials", trials, "Number of runs of the method [as suits the method]");
  table.add("confidence", confidence, "Confidence of the lower bound").show_default();
  table.add("report", report, "Also write a report to this file (.html)");
  table.add("output", output, "Also write a table to this file (.md)");
  declare_seed(table, seed);
  declare_threads(table);
}

}  // namespace tulle
