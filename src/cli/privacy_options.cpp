#include "privacy_options.hpp"

#include "options.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>
#include <cstdlib>

namespace tulle::cli {
namespace {

Range public_range(const std::string& text) {
  if (text.empty())
    fail_usage(
        "a private run needs --range LOW:HIGH, the public bounds of a value; they are never taken from the "
        "data");
  const Range range = parse_range("--range", text);
  if (!(range.low < range.high)) fail_usage("--range {}: give LOW:HIGH with LOW < HIGH", text);
  return range;
}

}  // namespace

std::string default_ledger() {
  const char* chosen = std::getenv("TULLE_LEDGER");
  return chosen ? chosen : "tulle-ledger.db";
}

void LedgerOptions::declare(Verb& verb) {
  verb.add_option("--account", account,
                  "Spend from an account of a ledger, the one for these data (see: tulle budget)")
      .group("Privacy");
  verb.add_option("--ledger", ledger,
                  "The ledger: a file, or postgresql://.. [$TULLE_LEDGER, else tulle-ledger.db]")
      .group("Privacy");
  declare_most_lost(verb, most_lost);
}

void declare_most_lost(Verb& verb, std::optional<double>& most_lost) {
  verb.add_option(
          "--stop-if-lost", most_lost,
          "Stop before anything is charged where a larger share of the data than this lies outside of "
          "the public lists or the range; that no more is lost is then public")
      .group("Privacy");
}

void check_most_lost(const std::optional<double>& most_lost) {
  if (most_lost && !(*most_lost >= 0 && *most_lost < 1))
    fail_usage("--stop-if-lost {}: give a share of 0 or more and below 1, such as 0.01", *most_lost);
}

AccountAddress LedgerOptions::address() const {
  if (account.empty()) return {};
  return {ledger.empty() ? default_ledger() : ledger, account};
}

void LedgerOptions::check(bool is_private, Calibration calibration) const {
  if (account.empty() && !ledger.empty())
    fail_usage("--ledger needs --account NAME, the ledger's account for these data");
  if (!is_private && !account.empty())
    fail_usage("--method plain promises nothing that a ledger could keep; leave --account out");
  if (!is_private && most_lost)
    fail_usage("--stop-if-lost is for private runs; --method plain has no public lists or range");
  check_most_lost(most_lost);
  if (calibration == Calibration::published && !account.empty())
    fail_usage("--calibration published proves nothing that a ledger could keep; leave --account out");
}

Range parse_range(std::string_view option, const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto low = parse_number<double>(text.substr(0, colon));
  const auto high = colon == std::string::npos ? std::nullopt : parse_number<double>(text.substr(colon + 1));
  if (!low || !high) fail_usage("{} {}: expected LOW:HIGH, such as 1:5", option, text);
  return {*low, *high};
}

void BudgetOptions::declare(Verb& verb) {
  const char* const group = "Privacy";
  verb.add_option("--epsilon", epsilon, "The privacy budget").group(group);
  verb.add_option("--delta", delta, "Its delta; 0: pure").show_default().group(group);
  verb.add_option("--calibration", calibration,
                  "sound: the guarantee is proven; published: as the paper prints it, for comparison")
      .one_of({"sound", "published"})
      .show_default()
      .group(group);
}

Calibration BudgetOptions::chosen_calibration() const {
  return calibration == "sound" ? Calibration::sound : Calibration::published;
}

void PrivacyOptions::declare(Verb& verb) {
  const char* const group = "Privacy";
  BudgetOptions::declare(verb);
  verb.add_option("--unit", unit, "Whose data is protected: entry or user").show_default().group(group);
  verb.add_option("--user-mode", user_mode, "The mode whose positions are the users: a name or a number")
      .group(group);
  verb.add_option("--relation", relation, "replace, zero-out or add-remove [the method's own]").group(group);
  verb.add_option("--range", range, "Public bounds of a value, LOW:HIGH; values outside are clamped")
      .group(group);
}

void PrivacyOptions::check() const {
  if (!epsilon)
    fail_usage(
        "give --epsilon E and --range LOW:HIGH for a private run, or --method plain for one without privacy");
  if ((unit_of(unit) == Unit::user) != !user_mode.empty())
    fail_usage("--unit user and --user-mode MODE, the mode whose positions are the users, go together");
  public_range(range);
}

std::optional<Relation> PrivacyOptions::chosen_relation() const {
  return relation.empty() ? std::nullopt : std::optional(relation_of(relation));
}

Terms PrivacyOptions::terms(const std::vector<Mode>& modes, std::optional<std::uint64_t> seed) const {
  check();
  Terms terms;
  terms.budget = budget();
  terms.unit = unit_of(unit);
  if (!user_mode.empty()) terms.user_mode = mode_of(user_mode, modes, "--user-mode");
  terms.relation = chosen_relation();
  terms.range = public_range(range);
  terms.calibration = chosen_calibration();
  terms.seed = seed;
  return terms;
}

}  // namespace tulle::cli
