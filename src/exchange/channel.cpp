#include "channel.hpp"

namespace tulle {

void Mailbox::put(int from, Bytes message) {
  {
    const std::scoped_lock lock(mutex_);
    queues_[static_cast<std::size_t>(from)].messages.push_back(std::move(message));
  }
  changed_.notify_all();
}

void Mailbox::close(int from) {
  {
    const std::scoped_lock lock(mutex_);
    queues_[static_cast<std::size_t>(from)].closed = true;
  }
  changed_.notify_all();
}

std::optional<Bytes> Mailbox::take(int from) {
  std::unique_lock lock(mutex_);
  Queue& queue = queues_[static_cast<std::size_t>(from)];
  changed_.wait(lock, [&] { return !queue.messages.empty() || queue.closed; });
  if (queue.messages.empty()) return std::nullopt;
  Bytes message = std::move(queue.messages.front());
  queue.messages.pop_front();
  return message;
}

}  // namespace tulle
