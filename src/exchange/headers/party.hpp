// One of several parties that add numbers up without showing them to each other. A party holds its own data
// and runs the same program as the others; only this room knows whether they are in one process or on several
// machines (embedded.hpp, mpi.hpp).
#pragma once

#include <tulle/exchange/bytes.hpp>

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace tulle {

// Up to `colluding` parties, including the one that carries messages, may pool their knowledge, and up to
// parties - threshold may stop during the run. A server carries the messages and adds no numbers of its own:
// it may collude in addition, and must not stop. Without a server the first party carries them.
struct SumTerms {
  int parties = 2;
  int threshold = 2;  // fewer parties than this get no sum
  int colluding = 1;
  std::vector<std::string> agreed = {};  // what else must be the same for all: one line each, public
  bool server = false;

  int hub() const { return server ? parties : 0; }  // the rank that carries the messages
};
// A UsageError unless the terms are as secure_sum.hpp requires: parties + colluding < 2 threshold.
void check_sum_terms(const SumTerms& terms);
int least_threshold(int parties, int colluding);

struct SumTotal {
  std::vector<std::uint64_t> values;
  int parties = 0;  // how many parties' numbers are in it
};

// Traffic over the channel, without signs of life.
struct Traffic {
  std::uint64_t rounds = 0;              // sums
  std::uint64_t sent = 0, received = 0;  // bytes
};

class Party {
 public:
  virtual ~Party() = default;

  virtual int rank() const = 0;  // from 0 on; a server has rank size()
  virtual int size() const = 0;  // of all parties, including stopped ones, without a server
  bool is_server() const { return rank() == size(); }
  virtual const SumTerms& terms() const = 0;  // which all parties have agreed on

  // The sum modulo 2^64 over all parties, which all pass equally many numbers; the same for all of them. A
  // server's own numbers are ignored. An Error in one line if too many parties have stopped.
  virtual SumTotal sum(std::span<const std::uint64_t> own) = 0;
  // What party `from` passes; the others' bytes are ignored.
  virtual Bytes broadcast(Bytes own, int from) = 0;
  virtual Traffic traffic() const = 0;
  // Parties that are in no further sum, as far as this party knows; the hub knows all of them.
  virtual std::set<int> stopped() const = 0;
};

}  // namespace tulle
