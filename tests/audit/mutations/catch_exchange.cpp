// Exit 0 if the fault that was built into the exchange is caught: by what clients must refuse, by what keys
// must depend on, or by an adversary that learns too much.
#include "exchange/sum_faults.hpp"

#include <cstdio>

namespace tulle::malice {
namespace {

std::string fault_of_games() {
  Tally tally;
  for (int parties = 2; parties <= 5; ++parties)
    for (const std::string& fault : {fault_of_halves(parties), fault_of_copies(parties)})
      if (!fault.empty()) return fault;
  if (const std::string fault = fault_of_lists({4, 3, 1}, {0}, 41, tally); !fault.empty()) return fault;
  return fault_of_random_lies(4, 12, tally);
}

// A fault that a client's refusals show too is looked for in games alone where these are what it is about.
std::string fault_with(const std::string& mutation) {
  if (mutation == "exchange_copied_key_cancels_masks") return fault_of_games();
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
