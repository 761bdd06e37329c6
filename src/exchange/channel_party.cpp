#include "channel_party.hpp"

#include "sum_message.hpp"

#include <tulle/base/printable.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <string>

namespace tulle {
namespace {

constexpr std::size_t kMostWords = 4096;  // in bytes, of a party's reason to end the run
// Bytes by which another party's terms may be longer than this one's, so that both can learn the difference.
constexpr std::size_t kMostDifference = 1 << 20;
// The length of a broadcast is not known in advance.
constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();

std::set<int> all_parties(int count) {
  std::set<int> all;
  for (int party = 0; party < count; ++party) all.insert(party);
  return all;
}

}  // namespace

ChannelParty::ChannelParty(Channel& channel, const SumTerms& terms, RandomBits bits)
    : channel_(channel),
      sites_(terms.parties),
      bits_(std::move(bits)),
      identity_(random_secret(bits_)),
      session_(exchange_keys(terms)),
      left_(all_parties(terms.parties)) {}

namespace {

std::string name_of(int rank, int parties) {
  return rank == parties ? "the server" : fmt::format("site {}", rank + 1);
}

std::vector<std::string> lines_of(const SumTerms& terms) {
  std::vector<std::string> lines = {fmt::format("a threshold of {}", terms.threshold),
                                    fmt::format("{} sites that may collude", terms.colluding)};
  lines.insert(lines.end(), terms.agreed.begin(), terms.agreed.end());
  return lines;
}

// Sites with other options would add up numbers that do not fit together, under other noise than the others
// rely on.
void check_agreed(const std::vector<std::string>& own, const std::vector<std::string>& theirs,
                  const std::string& name, const std::string& other) {
  const auto line_of = [](const std::vector<std::string>& lines, std::size_t line) {
    return line < lines.size() ? lines[line] : std::string("nothing");
  };
  for (std::size_t line = 0; line < std::max(own.size(), theirs.size()); ++line)
    if (line_of(own, line) != line_of(theirs, line))
      fail("{} runs with {}, {} with {}; give all sites the same study and options", other,
           printable(line_of(theirs, line)), name, printable(line_of(own, line)));
}

}  // namespace

// Each party sends its key directly to each of the others: the hub does not carry them. The terms that all
// must agree on come with it, threshold and colluding sites first. A server's key is not used.
SumSession ChannelParty::exchange_keys(const SumTerms& terms) {
  check_sum_terms(terms);
  if (channel_.size() != terms.parties + terms.server)
    fail("{} parties for {} sites{}", channel_.size(), terms.parties, terms.server ? " and a server" : "");
  std::vector<PublicKey> identities(static_cast<std::size_t>(terms.parties), identity_.public_key());
  const std::vector<std::string> own = lines_of(terms);
  WireWriter notice;
  notice.bytes(identity_.public_key());
  for (const std::string& line : own)
    notice.number(static_cast<std::uint32_t>(line.size())).bytes(Bytes(line.begin(), line.end()));
  for (int other = 0; other < channel_.size(); ++other)
    if (other != rank()) send(other, Kind::data, notice.written());
  for (int other = 0; other < channel_.size(); ++other) {
    if (other == rank()) continue;
    const std::optional<Bytes> sent = receive(other, notice.written().size() + kMostDifference);
    if (!sent) fail("{} stopped before it sent a key; the run ends", name_of(other, terms.parties));
    WireReader reader(*sent);
    const auto key = reader.array<PublicKey>();
    if (other < terms.parties) identities[static_cast<std::size_t>(other)] = key;
    std::vector<std::string> theirs;
    while (!reader.rest().empty()) {
      const std::span<const std::uint8_t> line = reader.bytes(reader.number<std::uint32_t>());
      theirs.emplace_back(line.begin(), line.end());
    }
    check_agreed(own, theirs, name_of(rank(), terms.parties), name_of(other, terms.parties));
  }
  return {terms, std::move(identities)};
}

void ChannelParty::send(int to, Kind kind, std::span<const std::uint8_t> body) {
  WireWriter writer;
  writer.number(static_cast<std::uint8_t>(kind)).bytes(body);
  traffic_.sent += writer.written().size();
  channel_.send(to, writer.take());
}

std::optional<Bytes> ChannelParty::receive(int from, std::size_t most) try {
  const std::optional<std::size_t> length = channel_.announced(from);
  if (!length) return std::nullopt;
  const std::size_t kind_and_words = 1 + kMostWords;
  if (*length > kind_and_words && *length - 1 > most)
    fail(
        "{} sends a message of {} bytes, where at most {} are expected; give all sites the same study and "
        "options",
        name_of(from, sites_), *length, std::max(most + 1, kind_and_words));
  std::optional<Bytes> message = channel_.receive(from);
  if (!message) return std::nullopt;
  traffic_.received += message->size();
  WireReader reader(*message);
  const auto kind = static_cast<Kind>(reader.number<std::uint8_t>());
  Bytes body(reader.rest().begin(), reader.rest().end());
  if (kind == Kind::ended)  // the party's own words, shown as such
    fail("{} ended the run: {}", name_of(from, sites_),
         printable({reinterpret_cast<const char*>(body.data()), body.size()}));
  return body;
} catch (const std::bad_alloc&) {
  fail("there is no memory for a message of {}; the run ends", name_of(from, sites_));
}

SumTotal ChannelParty::sum(std::span<const std::uint64_t> own) {
  ++traffic_.rounds;
  std::optional<SumClient> client;
  if (!is_server())
    client.emplace(session_, rank(), identity_, traffic_.rounds,
                   std::vector<std::uint64_t>(own.begin(), own.end()), bits_, heard_);
  SumTotal total =
      rank() == hub() ? sum_as_hub(client ? &*client : nullptr, own.size()) : sum_as_client(*client);
  WireWriter writer;
  writer.number(static_cast<std::uint16_t>(total.parties)).words(total.values);
  hear(Heard::total, hub(), writer.written());
  return total;
}

std::set<int> ChannelParty::stopped() const {
  std::set<int> gone = all_parties(size());
  for (int party : left_) gone.erase(party);
  return gone;
}

void ChannelParty::hear(Heard what, int from, std::span<const std::uint8_t> body) {
  WireWriter all;
  all.bytes(heard_.bytes).number(static_cast<std::uint8_t>(what)).number(static_cast<std::uint16_t>(from));
  all.number(traffic_.rounds).bytes(body);
  heard_ = sha256(all.written());
}

SumTotal ChannelParty::sum_as_client(SumClient& client) {
  const std::size_t most = longest_message(session_.terms, client.length());
  send(hub(), Kind::data, client.start());
  while (!client.finished()) {
    const std::optional<Bytes> message = receive(hub(), most);
    if (!message) fail("{}, through which the sites add up, stopped; the run ends", name_of(hub(), size()));
    if (const std::optional<Bytes> answer = client.receive(*message)) send(hub(), Kind::data, *answer);
  }
  return client.take_total();
}

SumTotal ChannelParty::sum_as_hub(SumClient* client, std::size_t length) try {
  SumHub hub(session_, traffic_.rounds, length, left_);
  if (client) hub.receive(rank(), client->start());
  while (!hub.finished()) {
    collect(hub, longest_message(session_.terms, length));
    deliver(hub, client, hub.advance());
  }
  return client ? client->take_total() : hub.total();
} catch (const Error& error) {
  end_for_all(error.what());
  throw;
}

void ChannelParty::collect(SumHub& hub, std::size_t most) {
  for (int party : hub.awaited()) {
    if (const std::optional<Bytes> message = receive(party, most)) {
      hub.receive(party, *message);
    } else {
      hub.drop(party);
      left_.erase(party);
    }
  }
}

void ChannelParty::deliver(SumHub& hub, SumClient* client, std::vector<SumHub::Outgoing> messages) {
  for (const SumHub::Outgoing& outgoing : messages) {
    if (outgoing.to != rank()) {
      send(outgoing.to, Kind::data, outgoing.message);
    } else if (const std::optional<Bytes> answer = client->receive(outgoing.message)) {
      hub.receive(rank(), *answer);
    }
  }
}

void ChannelParty::end_for_all(const std::string& why) {
  const std::string words = why.substr(0, kMostWords);
  const Bytes text(words.begin(), words.end());
  for (int party : left_)
    if (party != rank()) send(party, Kind::ended, text);
}

Bytes ChannelParty::broadcast(Bytes own, int from) {
  if (from < 0 || from >= size()) fail("there is no site {}; there are {}", from + 1, size());
  if (from == rank()) {
    for (int party : left_)
      if (party != from) send(party, Kind::data, own);
    if (session_.terms.server) send(size(), Kind::data, own);
    hear(Heard::broadcast, from, own);
    return own;
  }
  std::optional<Bytes> message = receive(from, kAnyLength);
  if (!message) fail("site {} stopped before it sent what all wait for; the run ends", from + 1);
  hear(Heard::broadcast, from, *message);
  return std::move(*message);
}

}  // namespace tulle
