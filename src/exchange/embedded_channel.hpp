// Messages between parties of one process: each has a mailbox, which the others write to.
#pragma once

#include "channel.hpp"

#include <deque>

namespace tulle {

class EmbeddedChannel : public Channel {
 public:
  EmbeddedChannel(std::deque<Mailbox>& mailboxes, int rank) : mailboxes_(mailboxes), rank_(rank) {}
  ~EmbeddedChannel() override {
    for (Mailbox& mailbox : mailboxes_) mailbox.close(rank_);
  }

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(mailboxes_.size()); }
  void send(int to, Bytes message) override {
    mailboxes_[static_cast<std::size_t>(to)].put(rank_, std::move(message));
  }
  std::optional<std::size_t> announced(int from) override {
    return mailboxes_[static_cast<std::size_t>(rank_)].next(from);
  }
  std::optional<Bytes> receive(int from) override {
    return mailboxes_[static_cast<std::size_t>(rank_)].take(from);
  }

 private:
  std::deque<Mailbox>& mailboxes_;
  int rank_;
};

}  // namespace tulle
