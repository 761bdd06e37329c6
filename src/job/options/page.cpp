#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/charging.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/write_page.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr int kRepeats = 3;

// The scores in the report of a run: names and places.
std::vector<std::pair<std::string, Json::json_pointer>> scores_in(const Json& result) {
  if (result.contains("test_published_model"))
    return {{"test_rmse with own rows", Json::json_pointer("/test_with_own_rows/rmse")},
            {"test_rmse of the published model alone", Json::json_pointer("/test_published_model/rmse")}};
  for (const char* field : {"test_rmse", "test_accuracy", "e_comp"})
    if (result.contains(field)) return {{field, Json::json_pointer(fmt::format("/{}", field))}};
  fail("the report of a run for @curve has no score");
}

// A number in the report of a run; NaN if there is none, because there were no cells to measure it on.
double number_in(const Json& result, const Json::json_pointer& place) {
  return result.contains(place) && result[place].is_number() ? result[place].get<double>() : std::nan("");
}

constexpr const char* kBaselines[] = {"baseline_mean_rmse", "baseline_main_effects_rmse",
                                      "baseline_accuracy"};

// A baseline that no run has is none.
std::vector<AccuracyCurve::Level> levels_in(const std::vector<Json>& results) {
  std::vector<AccuracyCurve::Level> levels;
  for (const char* field : kBaselines) {
    double sum = 0, runs = 0;
    for (const Json& result : results) {
      const double score = number_in(result, Json::json_pointer(fmt::format("/{}", field)));
      if (!std::isfinite(score)) continue;
      sum += score;
      ++runs;
    }
    if (runs > 0) levels.push_back({field, sum / runs});
  }
  return levels;
}

AccuracyCurve::Point point_of(double epsilon, const std::vector<double>& scores) {
  double mean = 0, square = 0;
  for (double score : scores) mean += score / static_cast<double>(scores.size());
  for (double score : scores) square += (score - mean) * (score - mean);
  return {epsilon, mean, std::sqrt(square / static_cast<double>(scores.size() - 1))};
}

}  // namespace

void PageOptions::declare(OptionTable& table, bool with_curve) {
  const char* const group = "Report";
  table
      .add("report", path,
           "Write a report (.html): what was protected, how well, every release; it holds only public facts "
           "and releases")
      .group(group);
  if (with_curve)
    table
        .add("curve", curve,
             "Add a curve of accuracy by epsilon to the report: 0.1,0.3,1,3,10, 3 runs each; for the data "
             "owner, no guarantee covers it")
        .group(group);
  table
      .add("owner-part", owner,
           "Add held-out errors and the ledger's head to the report; for the data owner, no guarantee covers "
           "them")
      .group(group);
}

void PageOptions::check(bool is_private, const std::string& scored, bool given,
                        const std::string& input) const {
  if (!wanted() && (owner || !curve.empty()))
    fail_usage("{} is a part of the page; give @report FILE too",
               with_marks(owner ? "@owner-part" : "@curve"));
  if (wanted() && !path.ends_with(".html")) fail_usage("@report {}: give a name that ends in .html", path);
  if (curve.empty()) return;
  if (!is_private) fail_usage("@curve is for private runs; @method plain has no epsilon");
  if (!given) fail_usage("@curve shows errors against epsilon; give {} to measure them", with_marks(scored));
  if (input == "-") fail_usage("@curve reads the data several times; give a file instead of standard input");
  static_cast<void>(epsilons());
}

std::vector<double> PageOptions::epsilons() const {
  std::vector<double> all;
  for (const std::string& each : split_at_commas(curve)) {
    const auto epsilon = parse_number<double>(each);
    if (!epsilon || !(*epsilon > 0) || !std::isfinite(*epsilon))
      fail_usage("@curve {}: '{}' is no epsilon; give numbers above 0, such as 0.1,0.3,1,3,10", curve, each);
    all.push_back(*epsilon);
  }
  return all;
}

namespace {

// Null if the run fails: it is charged to no account, and so must decide neither the exit status nor whether
// there is a model.
Json result_of(const CurveRun& run, double epsilon, std::optional<std::uint64_t> seed) {
  try {
    return run(epsilon, seed);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

std::vector<AccuracyCurve> curves_of(const PageOptions& options, std::optional<std::uint64_t> seed,
                                     const CurveRun& run) {
  if (options.curve.empty()) return {};
  const std::vector<double> epsilons = options.epsilons();
  std::vector<Json> results;
  for (double epsilon : epsilons)
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      // Uses its own noise: the run itself has the noise of the seed.
      const auto own_seed =
          seed ? std::optional(*seed + 1 + static_cast<std::uint64_t>(repeat)) : std::nullopt;
      results.push_back(result_of(run, epsilon, own_seed));
    }
  const auto done = std::ranges::find_if(results, [](const Json& result) { return !result.is_null(); });
  if (done == results.end()) return {};
  std::vector<AccuracyCurve> curves;
  for (const auto& [score, place] : scores_in(*done)) {  // the same for all: which exist is public
    AccuracyCurve& curve = curves.emplace_back(
        AccuracyCurve{.score = score, .repeats = kRepeats, .points = {}, .levels = levels_in(results)});
    for (std::size_t i = 0; i < epsilons.size(); ++i) {
      std::vector<double> found;
      for (std::size_t repeat = 0; repeat < kRepeats; ++repeat)
        found.push_back(number_in(results[i * kRepeats + repeat], place));
      curve.points.push_back(point_of(epsilons[i], found));
    }
  }
  return curves;
}

void write_page(const PageOptions& options, const std::string& title, Json result,
                std::vector<Drawing> drawings, const Payment& payment, std::vector<AccuracyCurve> curves) {
  if (!options.wanted()) return;
  RunPage page{.title = title,
               .result = with_balance(std::move(result), payment),
               .drawings = std::move(drawings),
               .checks = {},
               .owner = {}};
  page.checks = checks_of(page.result);
  if (options.owner || !curves.empty()) {
    page.owner.emplace(OwnerPart{.curves = std::move(curves), .ledger_head = ""});
    if (const auto statement = payment.statement()) page.owner->ledger_head = statement->head;
  }
  write_text(options.path, to_page(page));
}

}  // namespace tulle
