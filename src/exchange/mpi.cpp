// One thread makes all MPI calls. Twice a second it sends a sign of life to all other parties: a party that
// is silent for too long, or says goodbye, is gone. MPI itself would wait for it, or end all processes. A
// long message is fetched only when the party takes it, after checking its length: until then it stays with
// its sender.
#include "channel_party.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/exchange/mpi.hpp>

#include <cstdlib>

#ifdef TULLE_HAVE_MPI
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <tulle/base/loaded_library.hpp>

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <limits>
#include <list>
#include <memory>
#include <set>
#include <thread>
#endif

namespace tulle {

std::optional<MpiPlace> mpi_place() {
  const auto number = [](const char* name) -> std::optional<int> {
    const char* const text = std::getenv(name);
    return text ? parse_number<int>(text) : std::nullopt;
  };
  // Set by Open MPI; set by MPICH and its relatives.
  for (const auto& [rank_name, size_name] :
       {std::pair{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, {"PMI_RANK", "PMI_SIZE"}}) {
    const auto rank = number(rank_name), size = number(size_name);
    if (rank && size) return MpiPlace{*rank, *size};
  }
  return std::nullopt;
}

#ifdef TULLE_HAVE_MPI
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// MPI is loaded when several processes run together: whoever links the library needs none.
constinit const LoadedLibrary kMpi("libmpi.so.40 libmpi.40.dylib", LoadedLibrary::Symbols::shared);
#define TULLE_LOADED(name) constinit const LoadedFunction<decltype(::name)> name(kMpi, #name)
TULLE_LOADED(MPI_Comm_rank);
TULLE_LOADED(MPI_Comm_set_errhandler);
TULLE_LOADED(MPI_Comm_size);
TULLE_LOADED(MPI_Finalize);
TULLE_LOADED(MPI_Get_count);
TULLE_LOADED(MPI_Improbe);
TULLE_LOADED(MPI_Imrecv);
TULLE_LOADED(MPI_Init_thread);
TULLE_LOADED(MPI_Isend);
TULLE_LOADED(MPI_Test);
#undef TULLE_LOADED
#define TULLE_LOADED(name) constinit const LoadedSymbol name(kMpi, #name)
TULLE_LOADED(ompi_mpi_byte);
TULLE_LOADED(ompi_mpi_comm_world);
TULLE_LOADED(ompi_mpi_errors_return);
TULLE_LOADED(ompi_request_null);
#undef TULLE_LOADED

constexpr auto kSignOfLife = 500ms;
constexpr auto kPause = 200us;
constexpr auto kEnd = 10s;                             // time that MPI may take to end
constexpr int kShort = 1 << 16;                        // messages up to this many bytes are received at once
constexpr int kMessage = 1, kAlive = 2, kGoodbye = 3;  // tags

class MpiChannel : public Channel {
 public:
  MpiChannel(std::chrono::milliseconds silence, std::chrono::seconds limit) : silence_(silence) {
    const auto starting = std::make_shared<Starting>();
    std::future<void> start = starting->started.get_future();
    pump_ = std::thread([this, starting, ending = ending_] {
      if (!run(*starting)) return;
      const bool together = leave();
      ending->left.set_value();  // the channel may be gone from here on
      if (together) MPI_Finalize();
      ending->ended.set_value();
    });
    if (start.wait_for(limit) != std::future_status::ready && starting->is_first()) {
      pump_.detach();
      fail("MPI did not start within {} s: a process may have stopped before; see what it said",
           limit.count());
    }
    try {
      start.get();
    } catch (...) {
      pump_.join();
      throw;
    }
  }
  // Waits for the end of MPI no longer than kEnd: on a busy machine MPI_Finalize did not return in some runs
  // in which a party had stopped.
  ~MpiChannel() override {
    leaving_ = true;
    ending_->left.get_future().wait();
    if (ending_->ended.get_future().wait_for(kEnd) == std::future_status::ready)
      pump_.join();
    else
      pump_.detach();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::optional<std::size_t> announced(int from) override { return mailbox_->next(from); }
  void send(int to, Bytes message) override {
    if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      fail("a message of {} bytes: MPI carries up to 2 GB; release less at once", message.size());
    const std::scoped_lock lock(mutex_);
    outbox_.push_back({to, kMessage, std::move(message)});
  }
  std::optional<Bytes> receive(int from) override { return mailbox_->take(from); }

 private:
  // A message to or from another party.
  struct Transfer {
    int other, tag;
    Bytes bytes;
    MPI_Request request = MPI_REQUEST_NULL;
    bool failed = false;  // cut off because its sender is gone

    Transfer(int party, int kind, Bytes message) : other(party), tag(kind), bytes(std::move(message)) {}
    bool is_done() {
      int done = 0;
      failed = failed || MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
      return failed || done;
    }
  };
  struct Arriving : Transfer {
    MPI_Message message;  // until it is fetched
    int count;
    bool is_long, announced = false, fetched = false, lost = false;

    Arriving(const MPI_Status& status, MPI_Message matched, int bytes_of_it)
        : Transfer(status.MPI_SOURCE, status.MPI_TAG, {}),
          message(matched),
          count(bytes_of_it),
          is_long(tag == kMessage && count > kShort) {}
    // Without room for it the message is lost, but to its sender it counts as sent.
    void fetch(Bytes room) {
      bytes = std::move(room);
      fetched = true;
      lost = bytes.size() < static_cast<std::size_t>(count);
      failed = MPI_Imrecv(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, &message, &request) !=
               MPI_SUCCESS;
    }
  };
  struct Peer {
    Clock::time_point heard;
    bool gone = false, silent = false;
  };
  struct Ending {
    std::promise<void> left, ended;  // set when the other parties have left; when MPI has ended
  };
  // MPI_Init waits for all processes, forever if one of them has ended. The first to decide wins: MPI, once
  // it has started, or the channel, which is gone once it gives up.
  struct Starting {
    std::promise<void> started;
    std::atomic_flag decided = {};

    bool is_first() { return !decided.test_and_set(); }
  };

  // Runs until the channel is left; false if MPI did not start.
  bool run(Starting& starting) {
    int level = 0;
    const bool failed = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS;
    if (!starting.is_first()) return false;
    try {
      if (failed || level < MPI_THREAD_FUNNELED)
        fail("MPI did not start with threads; check the MPI installation");
      start();
      starting.started.set_value();
    } catch (...) {
      starting.started.set_exception(std::current_exception());
      return false;
    }
    while (!leaving_) {
      if (!work()) std::this_thread::sleep_for(kPause);
    }
    return true;
  }

  void start() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    mailbox_.emplace(size_);
    peers_.assign(static_cast<std::size_t>(size_), {Clock::now()});
  }

  // Whether something was sent or received.
  bool work() {
    bool busy = false;
    {
      const std::scoped_lock lock(mutex_);
      for (Transfer& outgoing : outbox_) post(std::move(outgoing));
      busy = !outbox_.empty();
      outbox_.clear();
    }
    if (Clock::now() - last_sign_ > kSignOfLife) {
      post_to_all(kAlive);
      last_sign_ = Clock::now();
    }
    under_way_.remove_if([](Transfer& transfer) { return transfer.is_done(); });
    while (accept_one()) busy = true;
    hand_on_arrived();
    for (int party = 0; party < size_; ++party) {
      Peer& peer = peers_[static_cast<std::size_t>(party)];
      if (party == rank_ || peer.gone || Clock::now() - peer.heard < silence_) continue;
      peer.silent = true;
      close(party);
    }
    return busy;
  }

  void post(Transfer outgoing) {
    const Peer& peer = peers_[static_cast<std::size_t>(outgoing.other)];
    if (peer.silent || (peer.gone && outgoing.tag != kGoodbye)) return;
    under_way_.push_back(std::move(outgoing));
    Transfer& kept = under_way_.back();
    const int failure = MPI_Isend(kept.bytes.data(), static_cast<int>(kept.bytes.size()), MPI_BYTE,
                                  kept.other, kept.tag, MPI_COMM_WORLD, &kept.request);
    if (failure != MPI_SUCCESS) under_way_.pop_back();  // the others will notice the silence
  }

  void post_to_all(int tag) {
    for (int party = 0; party < size_; ++party)
      if (party != rank_) post({party, tag, {}});
  }

  // Receives short messages in the background: a sender may be gone before it has sent them.
  bool accept_one() {
    int there = 0;
    MPI_Message message;
    MPI_Status status;
    if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status) != MPI_SUCCESS ||
        !there)
      return false;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    if (count < 0) count = std::numeric_limits<int>::max();  // more than MPI can count
    Arriving& arriving = arriving_.emplace_back(status, message, count);
    if (status.MPI_TAG != kMessage)
      arriving.fetch({});  // its tag is the whole message
    else if (!arriving.is_long)
      arriving.fetch(Bytes(static_cast<std::size_t>(count)));
    peers_[static_cast<std::size_t>(status.MPI_SOURCE)].heard = Clock::now();
    return true;
  }

  // Passes on messages of each sender in the order in which they were sent.
  void hand_on_arrived() {
    std::set<int> waiting;
    arriving_.remove_if([&](Arriving& arriving) {
      if (waiting.contains(arriving.other) || !is_there(arriving)) {
        waiting.insert(arriving.other);
        return false;
      }
      if (arriving.lost) return true;
      if (arriving.failed || arriving.tag == kGoodbye)
        close(arriving.other);
      else if (arriving.is_long)
        mailbox_->fill(arriving.other, std::move(arriving.bytes));
      else if (arriving.tag == kMessage)
        mailbox_->put(arriving.other, std::move(arriving.bytes));
      return true;
    });
  }

  // Whether the next message of its sender has been received, or is lost. A long one is fetched when the
  // party takes it. If the party has ended, it is fetched without room: its sender waits for that.
  bool is_there(Arriving& arriving) {
    if (!arriving.fetched) {
      if (!arriving.announced) mailbox_->announce(arriving.other, static_cast<std::size_t>(arriving.count));
      arriving.announced = true;
      if (std::optional<Bytes> room = mailbox_->room(arriving.other))
        arriving.fetch(std::move(*room));
      else if (leaving_)
        arriving.fetch({});
    }
    return arriving.fetched && arriving.is_done();
  }

  void close(int party) {
    peers_[static_cast<std::size_t>(party)].gone = true;
    mailbox_->close(party);
  }

  // Says goodbye and waits for the others, who may be busy: MPI ends for all at once. If a party is gone
  // without a goodbye, that end is impossible, and MPI is left as it is. Returns whether MPI can end.
  bool leave() {
    work();
    post_to_all(kGoodbye);
    while (others_are_here() || is_sending())
      if (!work()) std::this_thread::sleep_for(kPause);
    return std::ranges::none_of(peers_, &Peer::silent);
  }

  bool others_are_here() const {
    for (int party = 0; party < size_; ++party)
      if (party != rank_ && !peers_[static_cast<std::size_t>(party)].gone) return true;
    return false;
  }
  // Whether a message is under way to a party that can still receive it.
  bool is_sending() const {
    return std::ranges::any_of(under_way_, [&](const Transfer& outgoing) {
      return !peers_[static_cast<std::size_t>(outgoing.other)].silent;
    });
  }

  std::chrono::milliseconds silence_;
  int rank_ = 0, size_ = 1;
  std::optional<Mailbox> mailbox_;
  std::vector<Peer> peers_;
  std::list<Transfer> under_way_;
  std::list<Arriving> arriving_;
  Clock::time_point last_sign_;
  std::mutex mutex_;
  std::vector<Transfer> outbox_;
  std::atomic<bool> leaving_ = false;
  std::shared_ptr<Ending> ending_ = std::make_shared<Ending>();
  std::thread pump_;
};

}  // namespace

void run_mpi(const SumTerms& terms, const std::function<void(Party&)>& program,
             std::chrono::milliseconds silence, std::chrono::seconds start) {
  if (!kMpi.is_installed())
    fail("sites as processes need Open MPI, libmpi.so.40; install it (Debian: libopenmpi3)");
  MpiChannel channel(silence, start);
  ChannelParty party(channel, terms);
  program(party);
}

#else

void run_mpi(const SumTerms&, const std::function<void(Party&)>&, std::chrono::milliseconds,
             std::chrono::seconds) {
  fail("this tulle was built without MPI; install libopenmpi-dev and build it again");
}

#endif

}  // namespace tulle
