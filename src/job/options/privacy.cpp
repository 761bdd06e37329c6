#include <tulle/base/error.hpp>
#include <tulle/job/lost_data.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <cstdlib>

namespace tulle {
namespace {

constexpr const char* kPrivacyGroup = "Privacy";

Range public_range(const std::optional<Range>& range) {
  if (!range)
    fail_usage(
        "a private run needs @range LOW:HIGH, the public bounds of a value; they are never taken from the "
        "data");
  if (!(range->low < range->high))
    fail_usage("@range {}:{}: give LOW:HIGH with LOW < HIGH", range->low, range->high);
  return *range;
}

Calibration calibration_of(const std::string& name) {
  return name == "sound" ? Calibration::sound : Calibration::published;
}

}  // namespace

std::string default_ledger() {
  const char* chosen = std::getenv("TULLE_LEDGER");
  return chosen ? chosen : "tulle-ledger.db";
}

void LedgerOptions::declare(OptionTable& table) {
  table
      .add("account", account,
           "Charge the run to this account of the ledger, the account of these data (see: tulle budget)")
      .group(kPrivacyGroup);
  table.add("ledger", ledger, "Ledger: a file or postgresql://.. [$TULLE_LEDGER, else tulle-ledger.db]")
      .group(kPrivacyGroup);
  table.add("note", note, "Note on the charge, for the ledger's history: what the run is for")
      .group(kPrivacyGroup);
  declare_most_lost(table, most_lost, "0.01");
  table
      .add("accept-losses", accept_losses,
           "Run however much of the data is outside the public lists or range; whether there is a model then "
           "depends on no private data")
      .group(kPrivacyGroup);
}

void declare_most_lost(OptionTable& table, std::optional<double>& most_lost, std::string_view otherwise) {
  table
      .add("stop-if-lost", most_lost,
           fmt::format("Stop before the charge if a larger share of the data is outside the public lists or "
                       "range; a completed run reveals that it is not [{}]",
                       otherwise))
      .group(kPrivacyGroup);
}

void check_most_lost(const std::optional<double>& most_lost) {
  if (most_lost && !(*most_lost >= 0 && *most_lost < 1))
    fail_usage("@stop-if-lost {}: give a share of 0 or more and below 1, such as 0.01", *most_lost);
}

AccountAddress LedgerOptions::address() const {
  if (account.empty()) return {};
  return {ledger.empty() ? default_ledger() : ledger, account, note};
}

std::optional<double> LedgerOptions::most_lost_of(Calibration calibration) const {
  if (accept_losses || (calibration == Calibration::published && !most_lost)) return std::nullopt;
  return most_lost.value_or(kLossToTell);
}

void LedgerOptions::check(bool is_private, Calibration calibration) const {
  if (account.empty() && !ledger.empty())
    fail_usage("@ledger needs @account NAME, the ledger's account for these data");
  if (account.empty() && !note.empty())
    fail_usage("@note is for a charge; give @account NAME too, or omit it");
  if (!is_private && !account.empty())
    fail_usage("@method plain promises nothing that a ledger could keep; omit @account");
  refuse_given({{"stop-if-lost", !is_private && most_lost}, {"accept-losses", !is_private && accept_losses}},
               "is for private runs; @method plain has no public lists or range");
  if (most_lost && accept_losses) fail_usage("@stop-if-lost and @accept-losses exclude each other; give one");
  check_most_lost(most_lost);
  if (calibration == Calibration::published && !account.empty())
    fail_usage("@calibration published proves nothing that a ledger could keep; omit @account");
}

void BudgetOptions::declare(OptionTable& table) {
  table.add("epsilon", epsilon, "Epsilon of the privacy budget").group(kPrivacyGroup);
  table.add("delta", delta, "Delta of the privacy budget; 0: pure").show_default().group(kPrivacyGroup);
  table
      .add("calibration", calibration, calibration_of,
           "sound: with a proven guarantee; published: as printed in the paper, for comparison")
      .one_of({"sound", "published"})
      .show_default({std::string("sound")})
      .group(kPrivacyGroup);
}

void PrivacyOptions::declare(OptionTable& table) {
  BudgetOptions::declare(table);
  table.add("unit", unit, unit_of, "Unit of protection: entry, one value; user, all entries of a user")
      .show_default({std::string("entry")})
      .group(kPrivacyGroup);
  declare_user_mode(table, user_mode);
  table
      .add("relation", relation, relation_of,
           "Neighbouring relation: replace, zero-out or add-remove [the method's own]")
      .group(kPrivacyGroup);
  declare_range(table, range);
}

void declare_user_mode(OptionTable& table, std::string& user_mode) {
  table.add("user-mode", user_mode, "Mode whose positions are the users: a name or a number")
      .group(kPrivacyGroup);
}

void check_user_mode(Unit unit, const std::string& user_mode) {
  if ((unit == Unit::user) != !user_mode.empty())
    fail_usage("@unit user and @user-mode MODE, the mode whose positions are the users, go together");
}

void declare_range(OptionTable& table, std::optional<Range>& range) {
  table
      .add(
          "range", range, [](const std::string& text) { return parse_range("range", text); },
          "Public bounds of a value, LOW:HIGH; values outside are clamped")
      .joined_by(':')
      .group(kPrivacyGroup);
}

void PrivacyOptions::check() const {
  if (!epsilon)
    fail_usage(
        "give @epsilon E and @range LOW:HIGH for a private run, or @method plain for one without privacy");
  check_user_mode(unit, user_mode);
  public_range(range);
}

Terms PrivacyOptions::terms(const std::vector<Mode>& modes, std::optional<std::uint64_t> seed) const {
  check();
  Terms terms;
  terms.budget = budget();
  terms.unit = unit;
  if (!user_mode.empty()) terms.user_mode = mode_of(user_mode, modes, "@user-mode");
  terms.relation = relation;
  terms.range = public_range(range);
  terms.calibration = calibration;
  terms.seed = seed;
  return terms;
}

}  // namespace tulle
