// Findings as text: a line, a Markdown table, an HTML page.
#pragma once

#include <tulle/audit/entries.hpp>
#include <tulle/audit/pairs.hpp>

#include <span>
#include <string>

namespace tulle {

struct AuditRow {
  AuditEntry entry;
  Budget budget;
  Finding finding;
};

std::string what(const AuditEntry& entry);  // "gradient published cp, entry under replace"
std::string sentence(const AuditRow& row);  // one line
std::string what(const PairKind& kind);
std::string sentence(const ExactSummary& summary);  // and a line for each violation
std::string how_measured(const Attack& attack);     // "likelihood ratio: 60 of 100 guesses right, .."

// An upper bound on the probability that any row with a valid guarantee is reported as VIOLATED.
double false_alarm_rate(std::span<const AuditRow> rows);

std::string to_markdown(std::span<const AuditRow> rows,
                        std::span<const ExactSummary> exact = {});  // docs/audit.md
std::string to_page(std::span<const AuditRow> rows);                // HTML

}  // namespace tulle
