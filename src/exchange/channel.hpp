// How the messages of one party reach the others.
#pragma once

#include <tulle/exchange/bytes.hpp>
#include <tulle/exchange/party.hpp>

#include <condition_variable>
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
  // The next message of a party in the order in which it was sent; nothing when the party is gone.
  virtual std::optional<Bytes> receive(int from) = 0;
};

// Messages that have arrived at one party, from each of the others.
class Mailbox {
 public:
  explicit Mailbox(int parties) : queues_(static_cast<std::size_t>(parties)) {}

  void put(int from, Bytes message);
  void close(int from);  // nothing more will come
  // Waits for a message, or for the end of the messages.
  std::optional<Bytes> take(int from);

 private:
  struct Queue {
    std::deque<Bytes> messages;
    bool closed = false;
  };
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Queue> queues_;
};

}  // namespace tulle
