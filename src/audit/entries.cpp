#include "mechanism_entries.hpp"
#include "subjects.hpp"

namespace tulle {
namespace {

// As many trials as suit most worst cases with such data.
struct UsualTrials {
  std::uint64_t trials, quick_trials;
};

UsualTrials usual_trials(const WorstCase& worst) {
  if (const auto* many = std::get_if<CraftedCells>(&worst.data))
    return {many->shape.cells(), many->shape.cells()};
  if (std::holds_alternative<CraftedExamples>(worst.data)) return {5'000, 300};
  if (!std::holds_alternative<CraftedTensor>(worst.data)) return {20'000, 300};
  return worst.sites > 1 ? UsualTrials{1'000, 100} : UsualTrials{5'000, 600};
}

std::string model_of(const WorstCase& worst) {
  if (std::holds_alternative<CraftedExamples>(worst.data)) return "network";
  if (std::holds_alternative<CraftedCounts>(worst.data)) return "counts";
  if (std::holds_alternative<CraftedDocuments>(worst.data)) return "topics";
  if (std::holds_alternative<CraftedNumbers>(worst.data)) return "mixture";
  return fmt::format("{}{}{}", name(worst.model), worst.coupling ? " of several relations" : "",
                     worst.sites > 1 ? fmt::format(" over {} sites", worst.sites) : "");
}

std::string note_of(const WorstCase& worst) {
  const auto* many = std::get_if<CraftedCells>(&worst.data);
  return many && !many->released
             ? fmt::format("one run: the bound is on what a model of {} cells says of each of them",
                           many->shape.cells())
             : worst.note;
}

}  // namespace

AuditEntry attacks::entry_of(const Method& method, const WorstCase& worst) {
  const UsualTrials usual = usual_trials(worst);
  return {.name = method.name,
          .calibration = worst.calibration,
          .neighbours = worst.neighbours(),
          .model = model_of(worst),
          .delta = worst.delta,
          .trials = worst.trials > 0 ? worst.trials : usual.trials,
          .quick_trials = worst.quick_trials > 0 ? worst.quick_trials : usual.quick_trials,
          .slow = worst.slow,
          .note = note_of(worst),
          .subject = [&method, worst](const Budget& budget) {
            const Budget within{std::min(budget.epsilon, worst.most_epsilon), budget.delta};
            return std::visit(
                [&](const auto& crafted) -> std::variant<Subject, ManyCanaries> {
                  return subject_of(method, worst, crafted, within);
                },
                worst.data);
          }};
}

const std::vector<AuditEntry>& audit_entries() {
  static const std::vector<AuditEntry> all = [] {
    std::vector<AuditEntry> entries = attacks::mechanism_entries();
    for (const Job job : {Job::completion, Job::topics, Job::counts, Job::classification})
      for (const Method& method : methods(job))
        for (const WorstCase& worst : method.worst_cases) entries.push_back(attacks::entry_of(method, worst));
    return entries;
  }();
  return all;
}

Finding audit(const AuditEntry& entry, const Budget& budget, const AuditOptions& options) {
  return std::visit([&](const auto& subject) { return audit(subject, options); }, entry.subject(budget));
}

}  // namespace tulle
