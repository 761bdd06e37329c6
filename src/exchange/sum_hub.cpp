#include "sum_keys.hpp"
#include "sum_message.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace tulle {

SumHub::SumHub(const SumSession& session, std::uint64_t round, std::size_t length, std::set<int> parties)
    : round_{session, round, length}, left_(std::move(parties)), sum_(length) {}

std::set<int> SumHub::awaited() const {
  std::set<int> awaited;
  std::ranges::set_difference(left_, answered_, std::inserter(awaited, awaited.end()));
  return awaited;
}

void SumHub::drop(int party) {
  if (left_.erase(party) > 0) stopped_.push_back(party + 1);
}

void SumHub::receive(int from, std::span<const std::uint8_t> message) {
  const std::span<const std::uint8_t> body = body_of(message, round_, step_);
  if (!left_.contains(from) || answered_.contains(from))
    fail("a message of site {} came twice, or after it stopped; the sum is refused", from + 1);
  WireReader reader(body);
  switch (step_) {
    case SumStep::keys:
      keys_[from] = {reader.array<PublicKey>(), reader.array<PublicKey>()};
      reader.expect_end();
      break;
    case SumStep::shares:
      while (!reader.rest().empty()) {
        const int to = reader.number<std::uint8_t>();
        const auto sealed = reader.bytes(kSealedBytes);
        sealed_[to][from].assign(sealed.begin(), sealed.end());
      }
      sharing_.insert(from);
      break;
    case SumStep::masked:
      take_masked(body);
      survivors_.insert(from);
      break;
    case SumStep::agreed:
      while (!reader.rest().empty()) {
        const int to = reader.number<std::uint8_t>();
        confirmations_[to][from] = reader.array<PublicKey>();
      }
      break;
    default:
      take_unmasking(from, body);
  }
  answered_.insert(from);
}

void SumHub::take_masked(std::span<const std::uint8_t> body) {
  if (body.size() != 8 * sum_.size())
    fail("a site sent {} numbers, not {}; give all sites the same study and options", body.size() / 8,
         sum_.size());
  WireReader reader(body);
  for (std::uint64_t& sum : sum_) sum += reader.number<std::uint64_t>();
}

void SumHub::take_unmasking(int from, std::span<const std::uint8_t> body) {
  WireReader reader(body);
  while (!reader.rest().empty()) {
    const int party = reader.number<std::uint8_t>();
    Share share{from, {}};
    share.value.bytes = reader.array<PublicKey>();
    unmasking_[party].push_back(share);
  }
}

std::vector<SumHub::Outgoing> SumHub::advance() {
  if (finished() || !awaited().empty()) fail("a sum goes on when all sites have answered");
  if (static_cast<int>(left_.size()) < round_.session.terms.threshold)
    fail("site {} stopped: {} of {} sites are left, and {} are needed for a sum; the run ends",
         fmt::join(stopped_, ", "), left_.size(), round_.session.terms.parties,
         round_.session.terms.threshold);
  answered_.clear();
  const SumStep done = step_;
  step_ = static_cast<SumStep>(static_cast<int>(done) + 1);
  switch (done) {
    case SumStep::keys:
      return hand_out_keys();
    case SumStep::shares:
      return hand_out_shares();
    case SumStep::masked:
      return name_survivors();
    case SumStep::agreed:
      return hand_out_confirmations();
    default:
      unmask();
      return hand_out_total();
  }
}

// A message of the hub has the step of the client's message that it follows; the total has its own.
std::vector<SumHub::Outgoing> SumHub::to_all(const Bytes& body) const {
  const auto step =
      step_ == SumStep::total ? SumStep::total : static_cast<SumStep>(static_cast<int>(step_) - 1);
  WireWriter writer;
  begin_message(writer, round_, step);
  writer.bytes(body);
  std::vector<Outgoing> messages;
  for (int party : left_) messages.push_back({party, writer.written()});
  return messages;
}

std::vector<SumHub::Outgoing> SumHub::hand_out_keys() const {
  WireWriter body;
  write_parties(body, left_);
  for (int party : left_) body.bytes(keys_.at(party).mask_key).bytes(keys_.at(party).commitment);
  return to_all(body.written());
}

// From all that sent shares, even if they have stopped since: the others' messages contain masks for them.
std::vector<SumHub::Outgoing> SumHub::hand_out_shares() {
  std::vector<Outgoing> messages;
  for (int to : left_) {
    std::set<int> senders = sharing_;
    senders.erase(to);
    WireWriter writer;
    begin_message(writer, round_, SumStep::shares);
    write_parties(writer, senders);
    for (int from : senders) writer.bytes(sealed_[to][from]);
    messages.push_back({to, writer.take()});
  }
  sealed_.clear();
  return messages;
}

std::vector<SumHub::Outgoing> SumHub::name_survivors() {
  WireWriter body;
  write_parties(body, survivors_);
  return to_all(body.written());
}

std::vector<SumHub::Outgoing> SumHub::hand_out_confirmations() {
  std::vector<Outgoing> messages;
  for (int to : left_) {
    std::set<int> senders;
    for (const auto& [from, confirmation] : confirmations_[to]) senders.insert(from);
    WireWriter writer;
    begin_message(writer, round_, SumStep::agreed);
    write_parties(writer, senders);
    for (const auto& [from, confirmation] : confirmations_[to]) writer.bytes(confirmation);
    messages.push_back({to, writer.take()});
  }
  return messages;
}

void SumHub::unmask() {
  for (int party : sharing_) {
    const std::vector<Share>& shares = unmasking_[party];
    if (static_cast<int>(shares.size()) < round_.session.terms.threshold)
      fail("{} sites answered for site {}, and {} are needed; the sum is refused", shares.size(), party + 1,
           round_.session.terms.threshold);
    const Secret secret =
        joined(std::span(shares).first(static_cast<std::size_t>(round_.session.terms.threshold)));
    if (survivors_.contains(party)) {
      if (commitment_to(round_, party, secret) != keys_[party].commitment)
        fail("shares of site {} do not fit together; the sum is refused", party + 1);
      add_mask(self_mask(round_, party, secret), false, sum_);
      continue;
    }
    const KeyPair stopped(secret);
    if (stopped.public_key() != keys_[party].mask_key)
      fail("shares of site {} do not fit together; the sum is refused", party + 1);
    for (int other : survivors_)  // the masks it would have added
      add_mask(pair_seed(round_, party, stopped, other, keys_[other].mask_key), party > other, sum_);
  }
}

std::vector<SumHub::Outgoing> SumHub::hand_out_total() {
  WireWriter body;
  body.number(static_cast<std::uint16_t>(survivors_.size())).words(sum_);
  return to_all(body.written());
}

}  // namespace tulle
