#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/job/run_plan.hpp>
#include <tulle/job/spending.hpp>

namespace tulle {
namespace {

// The guarantee of all that was planned, or of what was reached: methods may not take zeros for an answer.
Guarantee rehearsed(Curator& curator, const std::function<void(Curator&)>& run) {
  try {
    run(curator);
  } catch (const Rehearsed& all) {
    return all.guarantee;
  } catch (const Error&) {
    if (curator.guarantee().releases.empty()) throw;
  }
  return curator.guarantee();
}

RunPlan::Account account_after(LedgerStatement statement, const Curator& curator) {
  RunPlan::Account account{statement};
  statement.charges.push_back({.events = curator.dues()});
  account.fits_after = largest_epsilon(statement);
  return account;
}

}  // namespace

RunPlan rehearse(Curator curator, const Payment& payment, std::string method, const BeforeCharge& before,
                 std::vector<std::string> owner_notes, const std::function<void(Curator&)>& run) {
  RunPlan plan{.method = std::move(method), .owner_notes = std::move(owner_notes)};
  plan.owner_notes.insert(plan.owner_notes.end(), before.notes.begin(), before.notes.end());
  curator.rehearse();
  curator.before_first_release([&](const Curator& planned) {
    payment.check(planned);
    if (auto statement = payment.statement()) plan.account = account_after(*std::move(statement), planned);
  });
  plan.guarantee = rehearsed(curator, run);
  return plan;
}

void refuse_plan_of_plain(const Method& method) {
  if (!method.is_private())
    fail_usage("a plan[ (@dry-run)] is of a private run; method {} releases nothing", method.name);
}

Json to_json(const RunPlan& plan) {
  Json report = {{"dry_run", true}, {"method", plan.method}};
  report["guarantee"] = parse_json(to_json(plan.guarantee));
  OwnerFields owner;
  owner.add(report, "owner_notes", plan.owner_notes);
  owner.mark(report);
  if (plan.account)
    report["budget"] = {
        {"name", plan.account->before.account.name},     {"epsilon", plan.account->before.granted.epsilon},
        {"delta", plan.account->before.granted.delta},   {"spent", plan.account->before.spent},
        {"fits", largest_epsilon(plan.account->before)}, {"fits_after", plan.account->fits_after}};
  return report;
}

}  // namespace tulle
