// All parties in one process: for simulations, and for one operator who keeps several sites' data apart.
#pragma once

#include <tulle/exchange/party.hpp>

#include <exception>
#include <functional>
#include <vector>

namespace tulle {

// How the programs of all parties ended.
struct EmbeddedEnds {
  // One per party, the server last if there is one; null if its program ended normally.
  std::vector<std::exception_ptr> failures;
  std::exception_ptr first;  // the first failure in time: the others may follow from it
};

// Runs the program of every party in its own thread, with its share of the threads in use, and waits for all.
// To the others, a party whose program throws has stopped.
EmbeddedEnds run_embedded(const SumTerms& terms, const std::function<void(Party&)>& program);

}  // namespace tulle
