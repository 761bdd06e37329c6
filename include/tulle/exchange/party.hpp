// One of several parties that add numbers up without showing them to each other. A party holds its own data
// and runs the same program as the others; where they are, in one process or on several machines, is known to
// this room alone (embedded.hpp, mpi.hpp).
#pragma once

#include <tulle/exchange/bytes.hpp>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tulle {

// Of the parties up to `colluding`, those that carry messages included, may put together what they know, and
// up to parties - threshold may stop on the way. A server carries the messages and adds no numbers of its
// own: it may collude besides, and must not stop. Without one the first party carries them.
struct SumTerms {
  int parties = 2;
  int threshold = 2;  // fewer than so many get no sum
  int colluding = 1;
  std::vector<std::string> agreed = {};  // what else must be the same for all: a line each, public
  bool server = false;

  int hub() const { return server ? parties : 0; }  // the rank of who carries the messages
};
// A UsageError unless fewer than `threshold` parties can neither be all that is left nor learn a mask: see
// secure_sum.hpp.
void check_sum_terms(const SumTerms& terms);
int least_threshold(int parties, int colluding);

struct SumTotal {
  std::vector<std::uint64_t> values;
  int parties = 0;  // whose numbers are in it
};

// What went over the channel, without signs of life.
struct Traffic {
  std::uint64_t rounds = 0;              // sums
  std::uint64_t sent = 0, received = 0;  // bytes
};

class Party {
 public:
  virtual ~Party() = default;

  virtual int rank() const = 0;  // from 0 on; that of a server is size()
  virtual int size() const = 0;  // of all parties, those that stopped included, without a server
  bool is_server() const { return rank() == size(); }
  virtual const SumTerms& terms() const = 0;  // that the others hold it to

  // The sum modulo 2^64 of what all parties give, each as many numbers; the same for all of them. What a
  // server gives is not looked at. An Error in one line where too many parties have stopped.
  virtual SumTotal sum(std::span<const std::uint64_t> own) = 0;
  // What party `from` gives; that of the others is not looked at.
  virtual Bytes broadcast(Bytes own, int from) = 0;
  virtual Traffic traffic() const = 0;
  // Those that are in no further sum, as far as this party knows: who carries the messages knows all of them.
  virtual std::set<int> stopped() const = 0;
};

}  // namespace tulle
