// Opens the curator, checks a request for counts from public facts, protects the events, runs the method.
#include "choose_rows.hpp"
#include "private_keys.hpp"
#include "rows_of_users.hpp"
#include "users_by_rows.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/spelling.hpp>
#include <tulle/privacy/margin.hpp>
#include <tulle/tensor/number_of_events.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

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

std::string fact_of_pilot() {
  return fmt::format("that a release with {:g} % of epsilon chooses how many rows of a user count",
                     100 * kShareOfPilot);
}

// What the guarantee states of users: which mode they are, and how much of each counts.
void state_users(const Terms& terms, const std::string& rows, int order, Scope& scope) {
  check_users_name(scope.mode, terms.user_mode, order);
  if (scope.mode.empty()) scope.mode = unnamed_modes(order)[static_cast<std::size_t>(terms.user_mode)].name;
  scope.public_facts.push_back(rows);
}

// Which sizes a program states by its tensor: not how many users or keys there are.
std::string sizes_fact(int order, const std::vector<int>& private_modes) {
  std::vector<int> modes;
  for (int mode = 0; mode < order; ++mode)
    if (std::ranges::find(private_modes, mode) == private_modes.end()) modes.push_back(mode + 1);
  if (private_modes.empty()) return "the shape of the tensor";
  if (modes.empty()) return "the number of modes";
  return fmt::format("the size{} of mode{} {}", modes.size() > 1 ? "s" : "", modes.size() > 1 ? "s" : "",
                     fmt::join(modes, ", "));
}

// Under replace there are as many events in both data sets.
Scope scope_of(const Terms& terms, Relation relation, const std::optional<std::string>& rows, int order,
               std::vector<int> private_modes) {
  if (rows) private_modes.push_back(terms.user_mode);
  Scope scope = terms.scope;
  // Facts of the data name modes, unless all are private.
  if (scope.public_facts.empty() || std::ssize(private_modes) == order)
    scope.public_facts.insert(scope.public_facts.begin(), sizes_fact(order, private_modes));
  if (relation == Relation::replace) scope.public_facts.emplace_back("how many events there are");
  if (rows) state_users(terms, *rows, order, scope);
  return scope;
}

// The modes that are counted by.
Shape counted_shape(const Shape& shape, const Terms& terms) {
  return terms.unit == Unit::user ? shape_without_users(shape, terms.user_mode) : shape;
}

Protected<SparseTensor> counted(Protected<SparseTensor> events, const Terms& terms) {
  if (terms.unit != Unit::user) return events;
  return events.map([&](const SparseTensor& of_users) { return without_users(of_users, terms.user_mode); });
}

void check_modes(const std::vector<int>& private_keys, const Terms& terms, bool pilot, int order) {
  if (pilot && !private_keys.empty())
    fail_usage(
        "private keys[ (@private-keys)] of unit user need {} M, how many rows of a user count: what a "
        "position costs depends on it",
        option_name(setting::rows_per_user.name));
  for (std::size_t i = 0; i < private_keys.size(); ++i) {
    const int mode = private_keys[i];
    const bool users = terms.unit == Unit::user && mode == terms.user_mode;
    if (mode < 0 || mode >= order || users || (i > 0 && mode <= private_keys[i - 1]))
      fail_usage(
          "mode {} cannot have private keys[ (@private-keys)]; give modes that are counted by, each once",
          mode + 1);
  }
}

std::optional<int> users_of(const Terms& terms) {
  return terms.unit == Unit::user ? std::optional(terms.user_mode) : std::nullopt;
}

// The events that count, once rows and keys are chosen; the shape is public then.
struct Prepared {
  Protected<SparseTensor> events;
  Shape shape;
  std::optional<RowLimits> rows = {};
  Releases pilot = {};
  std::vector<ChosenKeys> keys = {};
  std::optional<Budget> of_tables = {};
};

// As many rows count as a release of users by rows makes best, with what it leaves of the budget.
void choose_rows(Prepared& prepared, const Terms& terms, Curator& curator) {
  const double epsilon = curator.plan({{.loss = Loss::pure, .in_parts = true}}).front();
  RowLimits& rows = *prepared.rows;
  Release users = release_users_by_rows(prepared.events, terms.user_mode, rows.per_cell,
                                        kShareOfPilot * epsilon, curator);
  prepared.of_tables = {(1 - kShareOfPilot) * epsilon, 0};
  rows.per_user =
      choose_rows_per_user(counted_shape(prepared.shape, terms), prepared.of_tables->epsilon, users);
  rows.per_cell = std::min(rows.per_cell, rows.per_user);
  users.chosen = {static_cast<double>(rows.per_user), static_cast<double>(rows.per_cell)};
  prepared.pilot.push_back(std::move(users));
}

void choose_keys(Prepared& prepared, const Terms& terms, const std::vector<int>& modes, Curator& curator) {
  const std::uint64_t keys = prepared.rows ? prepared.rows->per_user : 1;  // of a unit
  const KeyPlan plan = plan_keys(modes, terms.budget, keys, curator);
  prepared.keys = choose_keys(prepared.events, modes, users_of(terms), plan, keys, curator);
  prepared.shape = shape_at_keys(prepared.shape, prepared.keys);
  prepared.of_tables = plan.of_tables;
  prepared.events = prepared.events.map([&](const SparseTensor& all) { return at_keys(all, prepared.keys); });
}

Prepared prepare(SparseTensor events, const Terms& terms, const CountSettings& how, bool pilot,
                 Curator& curator) {
  const Shape shape = events.shape();
  Prepared prepared{Protected(std::move(events)), shape};
  if (terms.unit == Unit::user) {
    prepared.rows = row_limits(how.settings);
    if (pilot) choose_rows(prepared, terms, curator);
    prepared.events = prepared.events.map([&](const SparseTensor& all) {
      return rows_that_count(all, terms.user_mode, *prepared.rows, how.names.get());
    });
  }
  if (!how.private_keys.empty()) choose_keys(prepared, terms, how.private_keys, curator);
  return prepared;
}

std::string remark_on(const ChosenKeys& keys, std::optional<int> users) {
  if (keys.positions.empty())
    return fmt::format("No position of mode {} has units enough to be shown; one stands for none.",
                       number_in_tables(keys.mode, users));
  return fmt::format(
      "Chose {} positions of mode {} by how many units are there; events elsewhere do not count.",
      keys.positions.size(), number_in_tables(keys.mode, users));
}

Measurement facts_of(const Method& method, const CountRequest& request, Unit unit) {
  return {.method = method.name,
          .unit = unit,
          .relation = request.relation,
          .shape = request.shape,
          .high = kMostEvents};
}

CountOutcome estimated(const MeasuredCounts& parts, const Measurement& measured) {
  CountOutcome outcome = parts.estimate(measured);
  for (const Release* pilot : measured.all(kUsersByRows))
    if (pilot->chosen.size() == 2)
      outcome.remarks.push_back(fmt::format(
          "Of a user {:.0f} rows count at most, {:.0f} in one cell, as the users by rows suggest.",
          pilot->chosen[0], pilot->chosen[1]));
  return outcome;
}

}  // namespace

CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms,
                          const CountSettings& how, Curator& curator) {
  if (terms.sites) fail_usage("events are counted in one place; leave the sites out");
  check_terms(method, terms, how.settings);
  check_curator(curator, method, terms);
  const int order = events.order();
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  const bool users = terms.unit == Unit::user, pilot = users && !how.settings.get(setting::rows_per_user);
  check_modes(how.private_keys, terms, pilot, order);
  const auto& parts = std::get<MeasuredCounts>(method.sound);
  const Shape all = counted_shape(events.shape(), terms);
  if (how.private_keys.empty()) check_shape(parts, all);
  check_and_clamp(events);
  std::optional<std::string> fact;
  if (users) fact = pilot ? fact_of_pilot() : rows_fact(row_limits(how.settings));
  curator.set_scope(scope_of(terms, relation, fact, order, how.private_keys));
  Prepared prepared = prepare(std::move(events), terms, how, pilot, curator);
  const CountRequest request{.shape = counted_shape(prepared.shape, terms),
                             .relation = relation,
                             .budget = prepared.of_tables.value_or(with_margin(terms.budget)),
                             .events = counted(std::move(prepared.events), terms),
                             .rows = prepared.rows,
                             .planned = prepared.of_tables.has_value()};
  check_shape(parts, request.shape);
  Measurement measured = facts_of(method, request, terms.unit);
  measured.releases = parts.measure(request, curator);
  std::ranges::move(prepared.pilot, std::back_inserter(measured.releases));
  CountOutcome outcome = estimated(parts, measured);
  outcome.measured = std::make_shared<const Measurement>(std::move(measured));
  outcome.keys = std::move(prepared.keys);
  outcome.rows = prepared.rows;
  for (const ChosenKeys& keys : outcome.keys) outcome.remarks.push_back(remark_on(keys, users_of(terms)));
  outcome.guarantee = curator.guarantee();
  if (pilot) outcome.guarantee.public_facts.back() += fmt::format(": {}", prepared.rows->per_user);
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
  return estimated(parts, measured);
}

}  // namespace tulle
