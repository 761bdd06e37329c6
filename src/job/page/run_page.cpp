#include "protection.hpp"

#include <tulle/base/json.hpp>
#include <tulle/job/run_page.hpp>
#include <tulle/privacy/protected.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace tulle {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

// Fields of a report that a page shows, if present, and their names on it.
constexpr std::pair<const char*, const char*> kShown[] = {
    {"title", "Study"},
    {"method", "Method"},
    {"picked", "It picked"},
    {"inference", "Inference"},
    {"model", "Model"},
    {"solver", "Solver"},
    {"shape", "Shape"},
    {"documents", "Documents"},
    {"words", "Words"},
    {"topics", "Topics"},
    {"variance", "Variance"},
    {"classes", "Classes"},
    {"hidden", "Hidden units"},
    {"parameters", "Parameters"},
    {"samples", "Samples"},
    {"trust", "Trust"},
    {"colluding", "Sites that may collude"},
    {"threshold", "Fewest sites"},
    {"server", "Server"},
    {"overlap", "Sites that a user may be at"},
    {"rounds", "Sums over sites"},
    {"iterations", "Iterations"},
    {"converged", "Converged"},
    {"noise_multiplier", "Noise multiplier"},
    {"dropout_alpha", "Dropout alpha"},
    {"train_cells", "Training cells"},
    {"train_examples", "Training examples"},
    {"test_cells", "Test cells"},
    {"test_rmse", "Test RMSE"},
    {"test_mae", "Test MAE"},
    {"test_rse", "Test relative error"},
    {"test_examples", "Test examples"},
    {"test_accuracy", "Test accuracy"},
    {"test_cross_entropy", "Test cross-entropy"},
    {"test_calibration_error", "Test calibration error"},
    {"test_auc", "Test AUC"},
    {"baseline_mean_rmse", "Test RMSE of the training mean"},
    {"baseline_main_effects_rmse", "Test RMSE of mean and main effects"},
    {"baseline_accuracy", "Test accuracy of the most frequent class"},
    {"e_comp", "Distance to the truth"},
    {"seconds", "Seconds"}};

// Objects with the scores of one model each, and their names on a page; and their fields.
constexpr std::pair<const char*, const char*> kScoredModels[] = {
    {"test_with_own_rows", "with own rows"}, {"test_published_model", "published model alone"}};
constexpr std::pair<const char*, const char*> kScores[] = {
    {"rmse", "Test RMSE"}, {"mae", "Test MAE"}, {"rse", "Test relative error"}, {"cells", "Test cells"}};

std::set<std::string> owner_fields(const Json& result) {
  if (!result.contains("owner_only")) return {};
  return result["owner_only"].at("fields").get<std::set<std::string>>();
}

std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  return json_text(value);
}

Facts facts_of(const Json& result, bool owners) {
  const std::set<std::string> private_fields = owner_fields(result);
  const auto shown = [&](const char* field) {
    return result.contains(field) && !result[field].is_null() && private_fields.contains(field) == owners;
  };
  Facts facts;
  const bool scored_apart = result.contains(kScoredModels[0].first);
  for (const auto& [field, label] : kShown)
    if (shown(field) && !(scored_apart && std::string_view(field).starts_with("test_")))
      facts.emplace_back(label, value_text(result[field]));
  for (const auto& [model, of] : kScoredModels)
    for (const auto& [field, label] : kScores)
      if (shown(model) && result[model].contains(field))
        facts.emplace_back(fmt::format("{}, {}", label, of), value_text(result[model][field]));
  return facts;
}

// One curve of the history of a fit, where it is finite.
void add_history(Page& page, const Json& history, const char* field, const std::string& caption) {
  PlotSeries series{"", {}};
  for (std::size_t step = 0; step < history.size(); ++step) {
    const Json& value = history[step].at(field);
    if (value.is_number() && std::isfinite(value.get<double>()))
      series.points.emplace_back(static_cast<double>(step + 1), value.get<double>());
  }
  if (series.points.size() < 2) return;
  page.drawing(
      to_svg(Plot{
          .title = caption, .x_label = "iteration", .y_label = field, .series = {series}, .compact = true}),
      caption);
}

void add_result(Page& page, const RunPage& run, bool is_private) {
  page.section("What came out");
  page.facts(facts_of(run.result, false));
  if (const auto remarks = run.result.value("remarks", std::vector<std::string>()); !remarks.empty())
    page.items(remarks);
  if (is_private && !(run.drawings.empty() && !run.result.contains("history")))
    page.paragraph(
        "The drawings show the model as it may be published, and values of its fit to released values. How "
        "well the model predicts is computed from private data, so it is not among them.");
  if (run.result.contains("history")) {
    add_history(page, run.result["history"], "objective", "Convergence: the objective of the fit");
    add_history(page, run.result["history"], "change", "Convergence: relative change per iteration");
  }
  for (const Drawing& drawing : run.drawings) page.drawing(drawing.svg, drawing.caption);
}

void add_not_covered(Page& page, const Json& guarantee) {
  page.section("What is not covered");
  std::vector<std::string> items = {
      "What is public, as listed above, and what is true of people in general: that a model is right about "
      "somebody whose data "
      "were never used is no breach.",
      "Several units together. A group of k is protected too, but less: with k times epsilon where delta is "
      "0.",
      "Other releases of the same data. Their costs add up; a ledger (tulle budget) keeps the sum.",
      "Time, memory and power that the run used, and whoever had access to the machine; docs/limitations.md "
      "has the list.",
      "What the owner was shown of the run besides this page: held-out errors, notes on the data, running "
      "time."};
  if (guarantee.at("reproducible"))
    items.insert(items.begin(), "Whoever knows the seed of this run: the noise can be subtracted.");
  page.items(items);
}

void add_checks(Page& page, const RunPage& run) {
  if (run.checks.empty()) return;
  page.section("How to verify");
  for (const RunPage::Check& check : run.checks) page.paragraph(check.what).command(check.command);
}

// As lines over all budgets of the curve.
void add_levels(const AccuracyCurve& curve, Plot& plot) {
  const auto [least, most] = std::ranges::minmax(curve.points, {}, &AccuracyCurve::Point::epsilon);
  for (const AccuracyCurve::Level& level : curve.levels)
    plot.series.push_back({level.name, {{least.epsilon, level.score}, {most.epsilon, level.score}}});
}

void add_curve(Page& page, const AccuracyCurve& curve) {
  Plot plot{.title = "Accuracy against epsilon",
            .x_label = "epsilon",
            .y_label = curve.score,
            .logarithmic_x = true,
            .series = {{curve.levels.empty() ? "" : "the model", {}}},
            .compact = true};
  std::vector<Page::Row> rows;
  for (const AccuracyCurve::Point& point : curve.points) {
    rows.push_back({{fmt::format("{:g}", point.epsilon), fmt::format("{:.5g}", point.mean),
                     curve.repeats > 1 ? fmt::format("{:.2g}", point.deviation) : "-"}});
    if (!std::isfinite(point.mean)) continue;
    plot.series.front().points.emplace_back(point.epsilon, point.mean);
    plot.series.front().errors.push_back(point.deviation);
  }
  page.paragraph(
      fmt::format("Other budgets, {} on the same data: {} each with its own noise, charged to nobody, their "
                  "models thrown away.",
                  curve.score, curve.repeats > 1 ? fmt::format("{} runs", curve.repeats) : "one run"));
  page.table({"epsilon", curve.score, "standard deviation"}, rows);
  for (const AccuracyCurve::Level& level : curve.levels)
    page.paragraph(fmt::format("Without a model, and without noise: {} {:.5g}.", level.name, level.score));
  if (plot.series.front().points.empty()) return;
  add_levels(curve, plot);
  page.drawing(to_svg(plot), "Privacy against accuracy: bars are standard deviations of single runs");
}

void add_owner_part(Page& page, const RunPage& run) {
  page.owner_section("For the data owner");
  page.notice(
      Page::Tone::warning, "Do not publish this part",
      fmt::format("It is {}: it was computed from the private data without a release.", kForTheOwner));
  page.facts(facts_of(run.result, true));
  if (const auto notes = run.result.value("owner_notes", std::vector<std::string>()); !notes.empty())
    page.items(notes);
  for (const AccuracyCurve& curve : run.owner->curves) add_curve(page, curve);
  if (!run.owner->ledger_head.empty()) page.facts({{"Ledger's last row, its hash", run.owner->ledger_head}});
}

void add_budget(Page& page, const Json& budget) {
  page.facts({{"Charged to account", value_text(budget.at("name"))},
              {"Granted to it", fmt::format("epsilon {}, delta {}", value_text(budget.at("epsilon")),
                                            value_text(budget.at("delta")))},
              {"Spent of it by now", "epsilon " + value_text(budget.at("spent"))}});
}

}  // namespace

std::string to_page(const RunPage& run) {
  Page page(run.title);
  const Json guarantee = run.result.value("guarantee", Json());
  if (guarantee.is_null())
    page.notice(Page::Tone::alarming, "Not private",
                "The method adds no noise: the model, and this page, may tell the data.");
  else
    add_summary(page, guarantee);
  const bool stated = !guarantee.is_null() && guarantee.value("status", "") != "none";
  if (stated) {
    add_protection(page, guarantee);
    if (is_proven(guarantee)) add_learned(page, guarantee);
    add_releases(page, guarantee);
    if (run.result.contains("budget")) add_budget(page, run.result["budget"]);
  }
  add_result(page, run, stated);
  if (stated) add_not_covered(page, guarantee);
  add_checks(page, run);
  if (run.owner) add_owner_part(page, run);
  return page.html();
}

}  // namespace tulle
