// tulle audit: attacks methods and prints lower bounds of what they leak.
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/audit/request.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>

#include <algorithm>

namespace tulle::cli {
namespace {

struct Audit {
  AuditRequest asked;
  bool json = false;
};

void print(const AuditRow& row) {
  fmt::print("{}\n", sentence(row));
  const auto detail = [](std::string_view view, const std::optional<Attack>& attack) {
    if (attack) fmt::print("  {}: epsilon >= {:.4g}, {}\n", view, attack->epsilon, how_measured(*attack));
  };
  fmt::print("  differs in {}; accounted {:.4g} at delta {:g}\n", row.finding.canary,
             row.finding.guarantee.used.epsilon, row.finding.guarantee.used.delta);
  detail("black box", row.finding.black_box);
  detail("white box", row.finding.white_box);
}

void check_kept(const std::vector<ExactSummary>& summaries) {
  std::uint64_t violated = 0;
  for (const ExactSummary& summary : summaries) violated += summary.violated;
  if (violated > 0)
    throw ViolationFound(fmt::format("{} neighbouring pairs violate what is stated", violated));
}

// In an audit of all forms, only those with a proven guarantee can fail it: some published forms are known to
// be violated. A named form can always fail it.
void check_kept(const AuditRequest& options, const std::vector<AuditRow>& rows) {
  const auto violated = std::ranges::count_if(rows, [&](const AuditRow& row) {
    return row.finding.verdict() == Verdict::violated &&
           (!options.all || row.finding.guarantee.status == Guarantee::Status::proven);
  });
  if (violated > 0)
    throw ViolationFound(fmt::format("{} of {} findings are violations", violated, rows.size()));
}

void print(const AuditRequest& options, const std::vector<AuditRow>& rows) {
  for (const AuditRow& row : rows) {
    if (options.all)
      fmt::print("{}\n", sentence(row));
    else
      print(row);
  }
  const auto proven = std::ranges::count_if(
      rows, [](const AuditRow& row) { return row.finding.guarantee.status == Guarantee::Status::proven; });
  fmt::print("Each bound holds with confidence {:g}.", options.confidence);
  if (proven > 0)
    fmt::print(" Any false alarm among the {} with a proven guarantee: probability {:.2g} at most.", proven,
               false_alarm_rate(rows));
  fmt::print("\n");
}

void print(const Audit& options, const AuditFound& found) {
  if (options.json) {
    fmt::print("{}\n", json_text(report_of(options.asked, found), 2));
  } else if (options.asked.exact) {
    for (const ExactSummary& summary : found.exact) fmt::print("{}\n", sentence(summary));
  } else {
    print(options.asked, found.rows);
  }
}

void run(const Audit& options) {
  const AuditFound found = [&] {
    Progress progress(options.asked.exact ? "comparing pairs" : "auditing");
    return audit(options.asked,
                 [&](int done, int total, const std::string& form) { progress.show(done, total, form); });
  }();
  print(options, found);
  check_kept(found.exact);
  check_kept(options.asked, found.rows);
}

}  // namespace

void add_audit(Verb& command) {
  auto options = std::make_shared<Audit>();
  Verb verb = command.add_verb("audit", "Attack a method and bound its epsilon from below");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"target", "METHOD"}, {"output", "-o,--output"}});
  declare_json(verb, options->json);
  verb.footer(
      "Example:\n  tulle audit gradient --calibration published --epsilon 1 --report audit.html\n  tulle "
      "audit --exact als --pairs 1000");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
