#include <tulle/audit/report.hpp>
#include <tulle/report/page.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

std::string form(const AuditEntry& entry) {
  return entry.calibration == Calibration::published ? "published" : "sound";
}

std::string bound_of(const std::optional<Attack>& attack) {
  return attack ? fmt::format("{:.3g}", attack->epsilon) : "";
}

std::string recovered(const Finding& finding) {
  if (!finding.recovery) return "";
  return fmt::format("value recovered: {} of {} secrets told out of {}", finding.recovery->right,
                     finding.recovery->trials, finding.recovery->values);
}

std::string verdict_of(const Finding& finding) {
  std::string text(name(finding.verdict()));
  if (finding.verdict() == Verdict::violated)
    text += fmt::format(
        " by {:.3g}", finding.epsilon() - std::min(finding.guarantee.used.epsilon, finding.claimed_epsilon));
  if (finding.recovery) text += "; " + recovered(finding);
  return text;
}

std::string claim_of(const AuditRow& row) {
  if (row.finding.guarantee.status == Guarantee::Status::none) return "none";
  return fmt::format("{:g}", row.finding.claimed_epsilon);
}

std::string account_of(const AuditRow& row) {
  const Guarantee& guarantee = row.finding.guarantee;
  return guarantee.status == Guarantee::Status::proven ? fmt::format("{:.4g}", guarantee.used.epsilon) : "";
}

const std::vector<std::string> kColumns = {"what",      "form",    "protects",  "differs in",
                                           "delta",     "claimed", "accounted", "black box",
                                           "white box", "trials",  "verdict"};

std::vector<std::string> cells_of(const AuditRow& row) {
  const AuditEntry& entry = row.entry;
  return {entry.model.empty() ? entry.name : entry.name + " " + entry.model,
          form(entry),
          fmt::format("{}, {}", name(entry.neighbours.unit), name(entry.neighbours.relation)),
          row.finding.canary,
          fmt::format("{:g}", row.finding.guarantee.used.delta),
          claim_of(row),
          account_of(row),
          bound_of(row.finding.black_box),
          bound_of(row.finding.white_box),
          fmt::format("{}", row.finding.trials),
          verdict_of(row.finding)};
}

std::string explanation(std::span<const AuditRow> rows) {
  const double confidence = rows.empty() ? 0 : rows.front().finding.confidence;
  return fmt::format(
      "Each row runs a method many times on two neighbouring data sets that are made up to be as bad as "
      "possible for it. Attackers that see the published model (black box), or every release and the coins "
      "of "
      "all other units (white box), say which of the two was used; how often they are right gives a lower "
      "bound "
      "on epsilon. A bound above what is claimed or accounted is a violation. Each row holds with confidence "
      "{:g}; that any of the {} rows here is a false alarm has a probability of at most {:.2g}. A bound far "
      "below "
      "the claim says that these attacks found no more, not that there is no more to find.",
      confidence, rows.size(), false_alarm_rate(rows));
}

// The best curve of a finding, beside what the claim allows: TPR <= e^epsilon FPR + delta and its mirror.
Plot plot_of(const AuditRow& row) {
  const Finding& finding = row.finding;
  Plot plot{"What attackers tell apart", "false positive rate", "true positive rate", false, {}};
  if (finding.guarantee.status != Guarantee::Status::none) {
    const double epsilon = finding.guarantee.used.epsilon, delta = finding.guarantee.used.delta;
    PlotSeries allowed{fmt::format("allowed by epsilon {:.3g}", epsilon), {}};
    for (int i = 0; i <= 100; ++i) {
      const double fpr = i / 100.0;
      allowed.points.emplace_back(fpr, std::clamp(std::min(std::exp(epsilon) * fpr + delta,
                                                           1 - std::exp(-epsilon) * (1 - fpr - delta)),
                                                  0.0, 1.0));
    }
    plot.series.push_back(allowed);
  }
  if (finding.black_box) plot.series.push_back({"black box", finding.black_box->curve});
  if (finding.white_box) plot.series.push_back({"white box", finding.white_box->curve});
  return plot;
}

}  // namespace

std::string what(const AuditEntry& entry) {
  return fmt::format("{}{}{}, {} under {}", entry.name,
                     entry.calibration == Calibration::published ? " as published" : "",
                     entry.model.empty() ? "" : " (" + entry.model + ")", name(entry.neighbours.unit),
                     name(entry.neighbours.relation));
}

std::string how_measured(const Attack& attack) {
  return fmt::format("{}: {} of {} guesses right in {} trials, bounded by {}", attack.attacker, attack.right,
                     attack.guesses, attack.trials, attack.bound);
}

std::string sentence(const AuditRow& row) {
  return fmt::format("{}: epsilon >= {:.3g} (claimed {}, delta {:g}): {}", what(row.entry),
                     row.finding.epsilon(), claim_of(row), row.finding.guarantee.used.delta,
                     verdict_of(row.finding));
}

double false_alarm_rate(std::span<const AuditRow> rows) {
  double sum = 0;
  for (const AuditRow& row : rows)
    if (row.finding.guarantee.status == Guarantee::Status::proven) sum += 1 - row.finding.confidence;
  return std::min(1.0, sum);
}

std::string to_markdown(std::span<const AuditRow> rows) {
  std::string text = "# Audit\n\nMade by `tulle audit --all`. " + explanation(rows) + "\n\n";
  for (const std::string& column : kColumns) text += "| " + column + " ";
  text += "|\n";
  for (std::size_t i = 0; i < kColumns.size(); ++i) text += "|---";
  text += "|\n";
  for (const AuditRow& row : rows) {
    for (const std::string& cell : cells_of(row)) text += "| " + cell + " ";
    text += "|\n";
  }
  return text;
}

std::string to_page(std::span<const AuditRow> rows) {
  Page page("Audit");
  page.paragraph(explanation(rows));
  std::vector<Page::Row> table;
  for (const AuditRow& row : rows)
    table.push_back({cells_of(row), row.finding.verdict() == Verdict::violated});
  page.table(kColumns, table);
  for (const AuditRow& row : rows) {
    page.heading(what(row.entry));
    page.paragraph(sentence(row));
    if (row.finding.black_box) page.paragraph("Black box: " + how_measured(*row.finding.black_box) + ".");
    if (row.finding.white_box) page.paragraph("White box: " + how_measured(*row.finding.white_box) + ".");
    page.plot(plot_of(row));
  }
  return page.html();
}

}  // namespace tulle
