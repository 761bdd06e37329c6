// The source of every random bit of a release.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#pragma GCC visibility push(default)

struct evp_cipher_ctx_st;  // OpenSSL's EVP_CIPHER_CTX

namespace tulle {

namespace detail {
extern std::atomic<std::uint64_t> fork_epoch;  // 1 at the start, and one more in the child of every fork
}

// A stream of uniform bits: AES-256 in counter mode, with fast key erasure (Bernstein 2017). Each block of
// the stream is made under a key of its own, whose first 32 bytes of output become the next key and overwrite
// it; a word is zeroed in the buffer as it is returned. So the memory at any time reveals nothing about the
// words drawn before.
//
// secure(): keyed by the operating system, again after every kReseedBytes and, in the child, after a fork.
//           If it cannot answer, an Error: there is no weaker source to fall back on.
// seeded(): the same stream, keyed by a number. Anyone who knows the number can subtract the noise:
//           reproducible() is true, and results made with it must say that they are not private.
//
// One object belongs to one thread; split() gives another thread a stream of its own. No copies: two copies
// would add the same noise to two values, and their difference would be the difference of the values.
class RandomBits {
 public:
  static RandomBits secure();
  static RandomBits seeded(std::uint64_t seed);
  // The same for parties that share a secret: equal keys give equal streams, which look random to anyone who
  // does not know the key, at the strength of AES-256.
  using SharedKey = std::array<std::uint64_t, 4>;
  static RandomBits keyed(const SharedKey& key);

  RandomBits(RandomBits&&) noexcept = default;
  RandomBits& operator=(RandomBits&&) noexcept = default;
  RandomBits(const RandomBits&) = delete;
  RandomBits& operator=(const RandomBits&) = delete;
  ~RandomBits() = default;

  bool reproducible() const { return reproducible_; }

  std::uint64_t word() {
    if (state_->left == 0 || state_->epoch != detail::fork_epoch.load(std::memory_order_relaxed)) refill();
    std::uint64_t& next = state_->words[--state_->left];
    const std::uint64_t word = next;
    next = 0;
    return word;
  }

  void fill(std::span<std::uint64_t> words);

  // A stream that is independent of this one from now on; reproducible if this one is.
  RandomBits split();

  // split() in two steps; the second one, which takes longer, may run on another thread.
  class ChildKey;
  ChildKey child_key();
  explicit RandomBits(ChildKey&& child);
  void rekey(ChildKey&& child);  // the same, reusing the memory of this stream

  static constexpr std::size_t kReseedBytes = std::size_t{1} << 20;

 private:
  static constexpr std::size_t kBlockWords = 1020;
  static constexpr std::size_t kKeyBytes = 32;
  using Key = std::array<unsigned char, kKeyBytes>;

  // Lies in pages of its own, which the kernel hands to the child of a fork as zeros (and leaves out of core
  // dumps). Zeros read as "no words left, made before the fork", so the child asks for a new key before it
  // draws anything.
  struct State {
    std::uint64_t left;      // words not handed out yet
    std::uint64_t epoch;     // the fork epoch in which they were made
    std::uint64_t unseeded;  // bytes made since the operating system was last asked
    std::uint64_t words[kBlockWords];
  };
  struct FreeState {
    void operator()(State* state) const;
  };
  struct FreeCipher {
    void operator()(evp_cipher_ctx_st* cipher) const;
  };

  RandomBits(Key& key, bool reproducible);
  void refill();
  void prepare();                                 // reseeds from the operating system when that is due
  void generate(std::span<std::uint64_t> words);  // at most one block; the key is gone afterwards
  void keystream(std::span<unsigned char> bytes);
  void set_key(Key& key);  // and wipes it

  std::unique_ptr<State, FreeState> state_;
  std::unique_ptr<evp_cipher_ctx_st, FreeCipher> cipher_;
  bool reproducible_;
};

// The key of a stream still to be made; wiped when the stream is made.
class RandomBits::ChildKey {
  friend class RandomBits;
  Key key;
  bool reproducible;
};

}  // namespace tulle

#pragma GCC visibility pop
