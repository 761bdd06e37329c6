// All parties in one process, as they would do it over a network: for simulations, and for one operator who
// keeps several sites' data apart.
#pragma once

#include <tulle/exchange/exchange.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

namespace tulle {

// Every two parties share a 256-bit key for each round. One adds the numbers it gives to its own, the other
// subtracts them, so what a party sends looks uniformly random to anyone who lacks one of its keys, as long
// as AES-256 in counter mode does: of what the honest parties send only the sum has a meaning (Bonawitz et
// al. 2017, without their protocol for parties that drop out).
class InProcessExchange : public Exchange {
 public:
  explicit InProcessExchange(int parties, RandomBits bits = RandomBits::secure());

  int parties() const override { return parties_; }
  std::unique_ptr<Round> open(std::size_t length) override;

 private:
  int parties_;
  RandomBits bits_;
};

}  // namespace tulle
