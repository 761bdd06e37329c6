// Exit 0 if the fault that was built into the exchange is caught: by what clients must refuse, by what keys
// must depend on, or by an adversary that learns too much.
#include "exchange/sum_faults.hpp"
#include "exchange/sum_games.hpp"

#include <cstdio>

namespace tulle::malice {
namespace {

std::string fault_of_games() {
  Tally tally;
  for (int parties = 2; parties <= 6; ++parties)
    for (const auto& look : {fault_of_overlapping_sums, fault_of_few_sharers, fault_of_leaving_out,
                             fault_of_false_keys, fault_of_false_totals, fault_of_other_identities})
      if (const std::string fault = look(parties); !fault.empty()) return fault;
  for (int parties = 2; parties <= 5; ++parties)
    if (const std::string fault = fault_of_copies(parties); !fault.empty()) return fault;
  if (const std::string fault = fault_of_lists({4, 3, 1}, {0}, 41, tally); !fault.empty()) return fault;
  return fault_of_random_lies(4, 12, tally);
}

// Each opens an attack, which the games must find by themselves: that a client's refusals show it too, or
// what keys depend on, says nothing of the adversary.
const std::set<std::string> kAttacks = {"exchange_both_secrets_revealed",
                                        "exchange_commitment_shows_self_mask",
                                        "exchange_confirmations_not_compared",
                                        "exchange_context_without_purpose",
                                        "exchange_copied_key_cancels_masks",
                                        "exchange_few_confirmations",
                                        "exchange_few_sharers",
                                        "exchange_keys_without_list",
                                        "exchange_keys_without_what_was_heard",
                                        "exchange_own_key_not_checked",
                                        "exchange_shares_not_bound_to_keys",
                                        "exchange_threshold_one_less"};

std::string fault_with(const std::string& mutation) {
  if (kAttacks.contains(mutation)) return fault_of_games();
  for (const auto& look : {fault_of_honest_sums, fault_of_refusals, fault_of_derivation, fault_of_games})
    if (const std::string found = look(); !found.empty()) return found;
  return "";
}

}  // namespace
}  // namespace tulle::malice

int main(int, char** arguments) {
  const std::string found = tulle::malice::fault_with(arguments[1]);
  std::puts(fmt::format("{}: {}", arguments[1], found.empty() ? "NOT CAUGHT" : "caught: " + found).c_str());
  return found.empty();
}
