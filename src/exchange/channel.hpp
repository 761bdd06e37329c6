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

// A party that leaves its channel or disappears is noticed by the others within 30 seconds.
class Channel {
 public:
  virtual ~Channel() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, Bytes message) = 0;  // returns at once
  // Waits for the next message of a party, in the order in which it sent them, and returns its length in
  // bytes; nothing if the party is gone. A channel between processes has not allocated a long message yet.
  virtual std::optional<std::size_t> announced(int from) = 0;
  // That message; nothing if the party is gone.
  virtual std::optional<Bytes> receive(int from) = 0;
};

// Messages from each of the other parties that have arrived at this one or are announced to it.
class Mailbox {
 public:
  explicit Mailbox(int parties) : queues_(static_cast<std::size_t>(parties)) {}

  // For the thread that brings messages: a complete one, or one that is fetched when it is taken.
  void put(int from, Bytes message);
  void announce(int from, std::size_t bytes);
  std::optional<Bytes> room(int from);  // memory for an announced message, once it is to be fetched
  void fill(int from, Bytes message);   // with that message
  void close(int from);                 // nothing more will come

  // For the thread that takes them: waits for the next message, or for the end of the messages.
  std::optional<std::size_t> next(int from);
  std::optional<Bytes> take(int from);

 private:
  struct Message {
    std::size_t size;
    std::optional<Bytes> bytes;  // once it has arrived
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
