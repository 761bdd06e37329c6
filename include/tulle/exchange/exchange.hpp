// How several parties add numbers up without showing them to each other, wherever they are.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// One addition of vectors. Every party contributes once; then each may ask for the total. Numbers are added
// modulo 2^64, so that masks cancel exactly: fixed-point numbers with their sign in two's complement.
class Round {
 public:
  virtual ~Round() = default;

  // An Error when a party contributes twice, or a vector of another length.
  virtual void contribute(int party, std::span<const std::uint64_t> numbers) = 0;
  // Over a network: waits for the other parties. An Error when one that it need not wait for is missing.
  virtual std::vector<std::uint64_t> total() = 0;
};

class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual int parties() const = 0;
  virtual std::unique_ptr<Round> open(std::size_t length) = 0;
};

}  // namespace tulle

#pragma GCC visibility pop
