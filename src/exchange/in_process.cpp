#include <tulle/base/error.hpp>
#include <tulle/exchange/in_process.hpp>

namespace tulle {
namespace {

class InProcessRound : public Round {
 public:
  InProcessRound(int parties, std::size_t length, RandomBits& bits)
      : parties_(parties),
        keys_(static_cast<std::size_t>(parties) * parties),
        sent_(parties, false),
        sum_(length) {
    for (int one = 0; one < parties; ++one)
      for (int other = 0; other < one; ++other) bits.fill(keys_[one * parties + other]);
  }

  void contribute(int party, std::span<const std::uint64_t> numbers) override {
    if (party < 0 || party >= parties_) fail("there is no party {}; there are {}", party + 1, parties_);
    if (sent_[party]) fail("party {} has sent its numbers already", party + 1);
    if (numbers.size() != sum_.size())
      fail("party {} sent {} numbers, not {}", party + 1, numbers.size(), sum_.size());
    sent_[party] = true;
    const std::vector<std::uint64_t> message = masked(party, numbers);
    for (std::size_t i = 0; i < sum_.size(); ++i) sum_[i] += message[i];
  }

  std::vector<std::uint64_t> total() override {
    for (int party = 0; party < parties_; ++party)
      if (!sent_[party]) fail("party {} has sent nothing; the sum of the others is hidden", party + 1);
    return sum_;
  }

 private:
  // What leaves the party.
  std::vector<std::uint64_t> masked(int party, std::span<const std::uint64_t> numbers) const {
    std::vector<std::uint64_t> message(numbers.begin(), numbers.end()), mask(numbers.size());
    for (int other = 0; other < parties_; ++other) {
      if (other == party) continue;
      const bool adds = party > other;
      RandomBits shared =
          RandomBits::keyed(keys_[adds ? party * parties_ + other : other * parties_ + party]);
      shared.fill(mask);
      for (std::size_t i = 0; i < message.size(); ++i) message[i] += adds ? mask[i] : 0 - mask[i];
    }
    return message;
  }

  int parties_;
  std::vector<RandomBits::SharedKey> keys_;
  std::vector<bool> sent_;
  std::vector<std::uint64_t> sum_;
};

}  // namespace

InProcessExchange::InProcessExchange(int parties, RandomBits bits)
    : parties_(parties), bits_(std::move(bits)) {
  if (parties < 2) fail_usage("{} parties have nothing to exchange; there must be 2 or more", parties);
}

std::unique_ptr<Round> InProcessExchange::open(std::size_t length) {
  return std::make_unique<InProcessRound>(parties_, length, bits_);
}

}  // namespace tulle
