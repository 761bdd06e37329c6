#include <tulle/job/spending.hpp>
#include <tulle/privacy/account/filter.hpp>

#include <cmath>
#include <cstdint>

namespace tulle {
namespace {

constexpr double kSteps = 10'000;  // steps per unit of epsilon

// Equal releases are joined, so many charges are accounted as fast as few.
Accountant charged(const LedgerStatement& statement) {
  Accountant all(statement.account.relation);
  for (const LedgerCharge& charge : statement.charges)
    for (const Event& event : charge.events) all.add(event);
  return all;
}

}  // namespace

double epsilon_of(const LedgerCharge& charge, const LedgerStatement& statement) {
  const Relation relation = statement.account.relation;
  const double pure = epsilon_upper(charge.events, relation, 0).value;
  return std::isfinite(pure) ? pure : epsilon_upper(charge.events, relation, statement.granted.delta).value;
}

double largest_epsilon(const LedgerStatement& statement) {
  const Budget& granted = statement.granted;
  if (!(granted.epsilon > 0)) return 0;
  const Accountant before = charged(statement);
  const auto fits = [&](double epsilon) {
    Accountant all = before;
    all.add(Event::pure(epsilon));
    return adaptive_epsilon_upper(all.events(), all.relation(), granted.epsilon, granted.delta).value <=
           granted.epsilon;
  };
  std::uint64_t most = 0;  // steps that fit
  auto too_many = static_cast<std::uint64_t>(granted.epsilon * kSteps) + 2;
  while (most + 1 < too_many) {
    const std::uint64_t middle = most + (too_many - most) / 2;
    (fits(static_cast<double>(middle) / kSteps) ? most : too_many) = middle;
  }
  return static_cast<double>(most) / kSteps;
}

}  // namespace tulle
