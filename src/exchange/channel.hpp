// How the messages of one party reach the others.
#pragma once

#include <tulle/exchange/bytes.hpp>
#include <tulle/exchange/party.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

namespace tulle {

// A party that goes, by leaving its channel or otherwise, is noticed by the others within 30 seconds.
class Channel {
 public:
  virtual ~Channel() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, Bytes message) = 0;  // returns at once
  // Waits for the next message of a party, in the order in which it sent them, and says how many bytes it
  // has; nothing when the party is gone. A channel between processes has not made room for a long one yet.
  virtual std::optional<std::size_t> announced(int from) = 0;
  // That message; nothing when the party is gone.
  virtual std::optional<Bytes> receive(int from) = 0;
};

// Messages that have arrived at one party, from each of the others, or that are announced to it.
class Mailbox {
 public:
  explicit Mailbox(int parties) : queues_(static_cast<std::size_t>(parties)) {}

  // Of who brings messages: one that is there, or one that is fetched when it is taken.
  void put(int from, Bytes message);
  void announce(int from, std::size_t bytes);
  std::optional<Bytes> room(int from);  // for an announced message, once it is to be fetched
  void fill(int from, Bytes message);   // with that message
  void close(int from);                 // nothing more will come

  // Of who takes them: waits for the next one, or for the end of the messages.
  std::optional<std::size_t> next(int from);
  std::optional<Bytes> take(int from);

 private:
  struct Message {
    std::size_t size;
    std::optional<Bytes> bytes;  // as far as it is there
  };
  struct Queue {
    std::deque<Message> messages;
    std::optional<Bytes> room;
    bool closed = false;

    bool is_known() const { return !messages.empty() || closed; }
    bool is_there() const { return !messages.empty() && messages.front().bytes; }
  };
  Queue& queue_of(int from) { return queues_[static_cast<std::size_t>(from)]; }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Queue> queues_;
};

}  // namespace tulle
