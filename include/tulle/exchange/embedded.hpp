// All parties in one process: for simulations, and for one operator who keeps several sites' data apart.
#pragma once

#include <tulle/exchange/party.hpp>

#include <exception>
#include <functional>
#include <vector>

namespace tulle {

// How the programs of all parties ended.
struct EmbeddedEnds {
  // One per party, the server last where there is one; null where its program came to its end.
  std::vector<std::exception_ptr> failures;
  std::exception_ptr first;  // of them in time: the others may follow from it
};

// Runs the program of every party in a thread of its own, each of which has its part of the threads in use,
// and waits for all. A party whose program throws has stopped, as the others see it.
EmbeddedEnds run_embedded(const SumTerms& terms, const std::function<void(Party&)>& program);

// One sum of what parties of one process hold, by the same messages.
SumTotal embedded_sum(const SumTerms& terms, const std::vector<std::vector<std::uint64_t>>& parts);

}  // namespace tulle
