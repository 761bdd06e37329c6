#include "channel.hpp"

#include <utility>

namespace tulle {

void Mailbox::put(int from, Bytes message) {
  {
    const std::scoped_lock lock(mutex_);
    const std::size_t size = message.size();
    queue_of(from).messages.push_back({size, std::move(message)});
  }
  changed_.notify_all();
}

void Mailbox::announce(int from, std::size_t bytes) {
  {
    const std::scoped_lock lock(mutex_);
    queue_of(from).messages.push_back({bytes, std::nullopt});
  }
  changed_.notify_all();
}

std::optional<Bytes> Mailbox::room(int from) {
  const std::scoped_lock lock(mutex_);
  return std::exchange(queue_of(from).room, std::nullopt);
}

void Mailbox::fill(int from, Bytes message) {
  {
    const std::scoped_lock lock(mutex_);
    queue_of(from).messages.front().bytes = std::move(message);
  }
  changed_.notify_all();
}

void Mailbox::close(int from) {
  {
    const std::scoped_lock lock(mutex_);
    queue_of(from).closed = true;
  }
  changed_.notify_all();
}

std::optional<std::size_t> Mailbox::next(int from) {
  std::unique_lock lock(mutex_);
  const Queue& queue = queue_of(from);
  changed_.wait(lock, [&] { return queue.is_known(); });
  if (!queue.is_there() && queue.closed) return std::nullopt;
  return queue.messages.front().size;
}

// Allocates in the thread of the party, where a failed allocation can be reported.
std::optional<Bytes> Mailbox::take(int from) {
  std::unique_lock lock(mutex_);
  Queue& queue = queue_of(from);
  changed_.wait(lock, [&] { return queue.is_known(); });
  if (!queue.is_there() && !queue.closed) queue.room.emplace(queue.messages.front().size);
  changed_.wait(lock, [&] { return queue.is_there() || queue.closed; });
  if (!queue.is_there()) return std::nullopt;
  Bytes message = std::move(*queue.messages.front().bytes);
  queue.messages.pop_front();
  return message;
}

}  // namespace tulle
