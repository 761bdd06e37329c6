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
  return fmt::format("value recovered: {} of {} secrets, each one of {} values", finding.recovery->right,
                     finding.recovery->trials, finding.recovery->values);
}

std::string verdict_of(const Finding& finding) {
  std::string text(name(finding.verdict()));
  const double above = finding.epsilon() - std::min(finding.guarantee.used.epsilon, finding.claimed_epsilon);
  if (finding.verdict() == Verdict::violated && above > 0) text += fmt::format(" by {:.3g}", above);
  if (finding.verdict() == Verdict::violated && finding.guarantee.status == Guarantee::Status::proven &&
      finding.exact && !finding.exact->holds())
    text += fmt::format("; exact answers are {:.6g} times the sensitivity apart {}", finding.exact->ratio(),
                        finding.exact->differs);
  if (finding.recovery) text += "; " + recovered(finding);
  return text;
}

std::string claim_of(const AuditRow& row) {
  if (row.finding.guarantee.status == Guarantee::Status::none) return "none";
  return fmt::format("{:g}", row.finding.claimed_epsilon);
}

std::string account_of(const AuditRow& row) {
  const Guarantee& guarantee = row.finding.guarantee;
  if (guarantee.status == Guarantee::Status::none) return "none";
  return guarantee.status == Guarantee::Status::proven ? fmt::format("{:.4g}", guarantee.used.epsilon)
                                                       : "not proven";
}

// The largest ratio of exact answers' distance to sensitivity; other differences only affect the verdict.
std::string exact_of(const Finding& finding) {
  return finding.exact ? fmt::format("{:.6g}", finding.exact->ratio()) : "";
}

const std::vector<std::string> kColumns = {
    "what",  "form",      "protects",  "differs in", "delta",   "claimed",         "accounted",
    "exact", "black box", "white box", "trials",     "verdict", "why so far below"};

std::vector<std::string> cells_of(const AuditRow& row) {
  const AuditEntry& entry = row.entry;
  return {entry.model.empty() ? entry.name : entry.name + " " + entry.model,
          form(entry),
          fmt::format("{}, {}", name(entry.neighbours.unit), name(entry.neighbours.relation)),
          row.finding.canary,
          fmt::format("{:g}", row.finding.guarantee.used.delta),
          claim_of(row),
          account_of(row),
          exact_of(row.finding),
          bound_of(row.finding.black_box),
          bound_of(row.finding.white_box),
          fmt::format("{}", row.finding.trials),
          verdict_of(row.finding),
          entry.note};
}

std::string table(const std::vector<std::string>& columns,
                  const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const std::string& column : columns) text += "| " + column + " ";
  text += "|\n";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "|---";
  text += "|\n";
  for (const std::vector<std::string>& row : rows) {
    for (const std::string& cell : row) text += "| " + cell + " ";
    text += "|\n";
  }
  return text;
}

bool is_proven(const AuditRow& row) {
  return row.finding.guarantee.status == Guarantee::Status::proven;
}

// Rows without a proven guarantee exist to show violations of claims; those are no false alarms.
std::string about_false_alarms(std::span<const AuditRow> rows) {
  const auto proven = std::ranges::count_if(rows, is_proven);
  if (proven == 0) return fmt::format("None of the {} rows here has a proven guarantee.", rows.size());
  return fmt::format(
      "Of the {} rows here, {} have a proven guarantee; that any of these is a false alarm has a probability "
      "of at most {:.2g}.",
      rows.size(), proven, false_alarm_rate(rows));
}

std::string explanation(std::span<const AuditRow> rows) {
  const double confidence = rows.empty() ? 0 : rows.front().finding.confidence;
  return fmt::format(
      "Each row runs a method many times on two neighbouring data sets that are made up to be as bad as "
      "possible for it. Attackers that see the published model (black box), or every release and the "
      "coins of all other units (white box), say which of the two was used; how often they are right "
      "gives a lower bound on epsilon. A bound above what is claimed or accounted is a violation. Each "
      "row holds with confidence {:g}. {} Where no guarantee is proven, 'accounted' says so. The white "
      "box sees more, but it has to tell apart many numbers from the same number of trials, of which "
      "some go into learning how: its bound can be the lower one. A bound far below the claim says that "
      "these attacks found no more, not that there is no more to find. The column 'exact' needs no "
      "attacker: the largest distance of the two exact answers of a release, over the sensitivity that "
      "its noise is made for; above 1 is a violation.",
      confidence, about_false_alarms(rows));
}

// The best curve of a finding, with what the claim allows: TPR <= e^epsilon FPR + delta and its mirror.
Plot plot_of(const AuditRow& row) {
  const Finding& finding = row.finding;
  Plot plot{"Error rates of attackers", "false positive rate", "true positive rate", false, {}};
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

std::string what(const PairKind& kind) {
  return fmt::format("{}{}, {} under {}{}", kind.method, kind.model.empty() ? "" : " (" + kind.model + ")",
                     name(kind.neighbours.unit), name(kind.neighbours.relation),
                     kind.over_sites ? ", over sites" : "");
}

std::string sentence(const ExactSummary& summary) {
  std::string text = fmt::format(
      "{}: {} pairs, {} releases, exact answers at most {:.9g} times the sensitivity apart, loss at most "
      "{:.9g} of epsilon",
      what(summary.kind), summary.pairs, summary.releases, summary.ratio, summary.loss);
  if (summary.violated == 0) return text + ": holds";
  text += fmt::format(": VIOLATED by {} pairs", summary.violated);
  for (const std::string& violation : summary.violations) text += "\n  " + violation;
  return text;
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

std::string to_markdown(std::span<const AuditRow> rows, std::span<const ExactSummary> exact) {
  std::string text = "# Audit\n\nMade by `make audit`. " + explanation(rows) + "\n\n";
  std::vector<std::vector<std::string>> cells;
  for (const AuditRow& row : rows) cells.push_back(cells_of(row));
  text += table(kColumns, cells);
  if (exact.empty()) return text;
  cells.clear();
  for (const ExactSummary& summary : exact)
    cells.push_back({what(summary.kind), fmt::format("{}", summary.pairs), fmt::format("{}", summary.refused),
                     fmt::format("{}", summary.releases), fmt::format("{:.9g}", summary.ratio),
                     fmt::format("{:.9g}", summary.loss), fmt::format("{}", summary.violated)});
  return text +
         "\n## The exact audit on random neighbouring pairs\n\n"
         "A run on one data set is recorded and played on its neighbour with the same noisy answers. The "
         "largest ratio is that of the distance of two exact answers to the stated sensitivity, the largest "
         "loss that of a pure release's log-likelihood ratio to its epsilon. Violated are pairs in which "
         "either exceeds 1, in which the two runs release or publish something else, or whose runs end for "
         "another reason than their settings. Refused are pairs whose settings exclude each other; both "
         "runs are refused in the same words.\n\n" +
         table({"what", "pairs", "refused", "releases", "largest ratio", "largest loss", "violated"}, cells);
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
