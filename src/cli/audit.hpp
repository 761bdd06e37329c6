// What `tulle audit` is asked for and finds, for the command and for programs that embed it.
#pragma once

#include "parser/verb.hpp"

#include <tulle/audit/report.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

struct AuditOptions {
  std::string method, model, unit, relation, calibration, report, output;
  std::optional<double> epsilon, delta;
  std::optional<std::uint64_t> trials, seed, pairs;
  double confidence = 0.999;
  bool all = false, exact = false, quick = false, json = false;

  void declare(Verb& verb);
};

struct AuditFound {
  std::vector<AuditRow> rows;       // of attacks
  std::vector<ExactSummary> exact;  // of random neighbouring pairs
};

// Writes the page and the table that are asked for.
AuditFound audit(const AuditOptions& options);
nlohmann::ordered_json report_of(const AuditOptions& options, const AuditFound& found);

}  // namespace tulle::cli
