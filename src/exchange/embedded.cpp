#include "channel_party.hpp"
#include "embedded_channel.hpp"

#include <tulle/base/threads.hpp>
#include <tulle/exchange/embedded.hpp>

#include <algorithm>
#include <thread>

namespace tulle {

EmbeddedEnds run_embedded(const SumTerms& terms, const std::function<void(Party&)>& program) {
  check_sum_terms(terms);
  std::deque<Mailbox> mailboxes;
  const int all = terms.parties + terms.server;
  for (int party = 0; party < all; ++party) mailboxes.emplace_back(all);
  EmbeddedEnds ends{std::vector<std::exception_ptr>(static_cast<std::size_t>(all)), nullptr};
  std::mutex mutex;
  const int threads_of_each = std::max(1, threads() / terms.parties);
  std::vector<std::thread> running;
  for (int rank = 0; rank < all; ++rank)
    running.emplace_back([&, rank] {
      set_threads(threads_of_each);
      EmbeddedChannel channel(mailboxes, rank);
      try {
        ChannelParty party(channel, terms);
        program(party);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        ends.failures[static_cast<std::size_t>(rank)] = std::current_exception();
        if (!ends.first) ends.first = std::current_exception();
      }
    });
  for (std::thread& thread : running) thread.join();
  return ends;
}

}  // namespace tulle
