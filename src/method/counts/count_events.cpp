// Opens the curator, checks a request for counts from public facts, protects the events, runs the method.
#include "rows_of_users.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/margin.hpp>
#include <tulle/tensor/number_of_events.hpp>

#include <algorithm>

namespace tulle {
namespace {

void check_shape(const MeasuredCounts& method, const Shape& shape) {
  double cells = 1;
  for (const Index size : shape.dimensions()) cells *= size;
  if (method.of_all_cells && cells > static_cast<double>(kMostCells))
    fail_usage(
        "a {} tensor has {:.3g} cells, and every one gets noise, at most {:.3g}; take method sparse, count "
        "fewer modes, or divide times into longer bins",
        shape.text(), cells, static_cast<double>(kMostCells));
  if (cells >= kMostSparseCells)
    fail_usage("a {} tensor has {:.3g} cells, at most {:.3g} can be counted; count fewer modes", shape.text(),
               cells, kMostSparseCells);
}

// Sums of whole numbers stay exact in a double.
void check_and_clamp(SparseTensor& events) {
  constexpr std::size_t kMostListed = std::size_t{1} << 29;
  if (events.size() >= kMostListed) fail("the data list too many cells; list fewer than {}", kMostListed);
  for (float& count : events.values()) {
    if (!is_number_of_events(count))
      fail("{} is no number of events; it must be a whole number, 0 or more", count);
    count = std::min(count, static_cast<float>(kMostEvents));
  }
}

// What the guarantee states of users: which mode they are, and how much of each counts.
void state_users(const Terms& terms, const RowLimits& rows, int order, Scope& scope) {
  check_users_name(scope.mode, terms.user_mode, order);
  if (scope.mode.empty()) scope.mode = unnamed_modes(order)[static_cast<std::size_t>(terms.user_mode)].name;
  scope.public_facts.push_back(rows_fact(rows));
}

// Under replace there are as many events in both data sets.
Scope scope_of(const Terms& terms, Relation relation, const std::optional<RowLimits>& rows, int order) {
  Scope scope = terms.scope;
  if (scope.public_facts.empty()) scope.public_facts.emplace_back("the shape of the tensor");
  if (relation == Relation::replace) scope.public_facts.emplace_back("how many events there are");
  if (rows) state_users(terms, *rows, order, scope);
  return scope;
}

Measurement facts_of(const Method& method, const CountRequest& request, Unit unit) {
  return {.method = method.name,
          .unit = unit,
          .relation = request.relation,
          .shape = request.shape,
          .high = kMostEvents};
}

}  // namespace

CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms,
                          const CountSettings& how, Curator& curator) {
  if (terms.sites) fail_usage("events are counted in one place; leave the sites out");
  check_terms(method, terms, how.settings);
  check_curator(curator, method, terms);
  const int order = events.order();
  const Shape shape =
      terms.unit == Unit::user ? shape_without_users(events.shape(), terms.user_mode) : events.shape();
  const auto& parts = std::get<MeasuredCounts>(method.sound);
  check_shape(parts, shape);
  check_and_clamp(events);
  std::optional<RowLimits> rows;
  if (terms.unit == Unit::user) {
    rows = row_limits(how.settings);
    events = without_users(rows_that_count(events, terms.user_mode, *rows, how.names.get()), terms.user_mode);
  }
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  const CountRequest request{.shape = shape,
                             .relation = relation,
                             .budget = with_margin(terms.budget),
                             .events = Protected(std::move(events)),
                             .rows = rows};
  curator.set_scope(scope_of(terms, relation, rows, order));
  Measurement measured = facts_of(method, request, terms.unit);
  measured.releases = parts.measure(request, curator);
  CountOutcome outcome = parts.estimate(measured);
  outcome.measured = std::make_shared<const Measurement>(std::move(measured));
  outcome.guarantee = curator.guarantee();
  return outcome;
}

CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms,
                          const CountSettings& how, std::function<void(const Curator&)> pay) {
  Curator curator = open_curator(method, terms, std::move(pay));
  return count_events(method, std::move(events), terms, how, curator);
}

CountOutcome refit_counts(const Measurement& measured) {
  check(measured);
  const auto& parts = std::get<MeasuredCounts>(find_method(measured.method, Job::counts).sound);
  check_shape(parts, measured.shape);
  return parts.estimate(measured);
}

}  // namespace tulle
