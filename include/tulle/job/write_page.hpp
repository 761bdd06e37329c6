// The page of a run: what goes on it beside the report, which is how to verify it, and runs with other
// budgets.
#pragma once

#include <tulle/job/options/page.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/run_page.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

// Runs with every epsilon that is asked for, several times each: `run` answers with the report of one, on a
// seed of its own where there is one.
using CurveRun = std::function<nlohmann::ordered_json(double epsilon, std::optional<std::uint64_t> seed)>;
std::vector<AccuracyCurve> curves_of(const PageOptions& options, std::optional<std::uint64_t> seed,
                                     const CurveRun& run);

// The same run for another epsilon: nobody is charged for it, and nothing of it is saved.
template <class Options>
Options at_epsilon(Options options, double epsilon, std::optional<std::uint64_t> seed) {
  options.privacy.epsilon = epsilon;
  options.seed = seed;
  options.ledger = {};
  options.ledger.silent = true;
  options.page = {};
  options.output.clear();
  return options;
}

// Commands that verify what the report of a run says.
std::vector<RunPage::Check> checks_of(const nlohmann::ordered_json& result);

// Writes the page, if one is wanted.
void write_page(const PageOptions& options, const std::string& title, nlohmann::ordered_json result,
                std::vector<Drawing> drawings, const Payment& payment,
                std::vector<AccuracyCurve> curves = {});

}  // namespace tulle
