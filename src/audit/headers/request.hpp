// The request for an audit and its result, for the command, Python and C++.
#pragma once

#include <tulle/audit/report.hpp>
#include <tulle/job/options/option_table.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct AuditRequest {
  std::string method, model, unit, relation, calibration, report, output;
  std::optional<double> epsilon, delta;
  std::optional<std::uint64_t> trials, seed, pairs;
  double confidence = 0.999;
  bool all = false, exact = false, quick = false;

  void declare(OptionTable& table);
};

struct AuditFound {
  std::vector<AuditRow> rows;       // of attacks
  std::vector<ExactSummary> exact;  // of random neighbouring pairs
};

// Progress of an audit: `done` of `total` forms are finished, and this one is next.
using AuditProgress = std::function<void(int done, int total, const std::string& form)>;

// Writes the page and the table if they are asked for.
AuditFound audit(const AuditRequest& request, const AuditProgress& progress = {});
nlohmann::ordered_json report_of(const AuditRequest& request, const AuditFound& found);

}  // namespace tulle
