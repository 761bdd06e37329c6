// The parts of a run's page beside the report: how to verify it, and runs with other budgets.
#pragma once

#include <tulle/job/options/page.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/run_page.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

// Runs with every requested epsilon, several times each: `run` returns the report of one run, with a seed of
// its own if there is a seed.
using CurveRun = std::function<nlohmann::ordered_json(double epsilon, std::optional<std::uint64_t> seed)>;
std::vector<AccuracyCurve> curves_of(const PageOptions& options, std::optional<std::uint64_t> seed,
                                     const CurveRun& run);

// The same run for another epsilon: charged to no account, and saving nothing.
template <class Options>
Options at_epsilon(Options options, double epsilon, std::optional<std::uint64_t> seed) {
  options.privacy.epsilon = epsilon;
  options.seed = seed;
  options.ledger = {};
  options.ledger.silent = options.ledger.accept_losses = true;
  options.page = {};
  options.output.clear();
  return options;
}

// Commands that verify the report of a run.
std::vector<RunPage::Check> checks_of(const nlohmann::ordered_json& result);

// Writes the page if one is wanted.
void write_page(const PageOptions& options, const std::string& title, nlohmann::ordered_json result,
                std::vector<Drawing> drawings, const Payment& payment,
                std::vector<AccuracyCurve> curves = {});

}  // namespace tulle
