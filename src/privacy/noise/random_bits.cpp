#include <tulle/base/error.hpp>
#include <tulle/privacy/noise/random_bits.hpp>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace tulle {

std::atomic<std::uint64_t> detail::fork_epoch{1};

namespace {

static_assert(std::endian::native == std::endian::little,
              "seeded streams are the same on little-endian machines only");

[[noreturn]] void fail_cipher() {
  fail("AES-256-CTR of OpenSSL failed: noise cannot be drawn; check the OpenSSL installation");
}

// fork() duplicates a stream without notice. The wiped pages of State prevent that on Linux 4.14 or later,
// even for a bare clone(); this handler does on every POSIX system.
void watch_forks() {
  static const int failure =
      pthread_atfork(nullptr, nullptr, [] { detail::fork_epoch.fetch_add(1, std::memory_order_relaxed); });
  if (failure != 0)
    fail("a fork could not be watched for ({}): noise would repeat in a child", std::strerror(failure));
}

void ask_operating_system(std::span<unsigned char> bytes) {
  if (getentropy(bytes.data(), bytes.size()) != 0)
    fail("the operating system gave no random bytes ({}): noise cannot be drawn; getrandom must be allowed",
         std::strerror(errno));
}

// Looked up once: OpenSSL would look it up again for every stream.
const EVP_CIPHER* aes() {
  static const EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "AES-256-CTR", nullptr);
  if (cipher == nullptr) fail_cipher();
  return cipher;
}

}  // namespace

void RandomBits::FreeState::operator()(State* state) const {
  OPENSSL_cleanse(state, sizeof(State));
  munmap(state, sizeof(State));
}

void RandomBits::FreeCipher::operator()(evp_cipher_ctx_st* cipher) const {
  EVP_CIPHER_CTX_free(cipher);  // wipes its key
}

RandomBits RandomBits::secure() {
  watch_forks();
  Key key;
  ask_operating_system(key);
  return RandomBits(key, false);
}

RandomBits RandomBits::seeded(std::uint64_t seed) {
  // The label keeps these keys apart from any other use of a hashed seed.
  std::array<unsigned char, 27> message{"tulle reproducible "};
  std::memcpy(message.data() + 19, &seed, sizeof seed);
  Key key;
  if (EVP_Digest(message.data(), message.size(), key.data(), nullptr, EVP_sha256(), nullptr) != 1)
    fail("SHA-256 of OpenSSL failed: a seeded stream cannot be made; check the OpenSSL installation");
  return RandomBits(key, true);
}

RandomBits RandomBits::keyed(const SharedKey& shared) {
  Key key;
  static_assert(sizeof shared == kKeyBytes);
  std::memcpy(key.data(), shared.data(), kKeyBytes);
  return RandomBits(key, true);
}

RandomBits::RandomBits(Key& key, bool reproducible)
    : cipher_(EVP_CIPHER_CTX_new()), reproducible_(reproducible) {
  void* pages = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  state_.reset(static_cast<State*>(pages));  // zeros
  // If the kernel knows neither advice, the fork handler and the erasure of keys still protect.
#ifdef MADV_WIPEONFORK
  if (!reproducible) madvise(pages, sizeof(State), MADV_WIPEONFORK);
#endif
#ifdef MADV_DONTDUMP
  madvise(pages, sizeof(State), MADV_DONTDUMP);
#endif
  state_->epoch = detail::fork_epoch.load(std::memory_order_relaxed);
  if (!cipher_ || EVP_EncryptInit_ex(cipher_.get(), aes(), nullptr, nullptr, nullptr) != 1) fail_cipher();
  set_key(key);
}

void RandomBits::fill(std::span<std::uint64_t> words) {
  while (!words.empty()) {
    prepare();
    const auto block = words.first(std::min(words.size(), kBlockWords));
    generate(block);
    words = words.subspan(block.size());
  }
}

RandomBits::ChildKey RandomBits::child_key() {
  ChildKey child;
  std::array<std::uint64_t, kKeyBytes / sizeof(std::uint64_t)> words;
  fill(words);
  std::memcpy(child.key.data(), words.data(), kKeyBytes);
  OPENSSL_cleanse(words.data(), kKeyBytes);
  child.reproducible = reproducible_;
  return child;
}

RandomBits::RandomBits(ChildKey&& child) : RandomBits(child.key, child.reproducible) {}

void RandomBits::rekey(ChildKey&& child) {
  OPENSSL_cleanse(state_->words, sizeof state_->words);
  state_->left = 0;
  state_->unseeded = 0;
  state_->epoch = detail::fork_epoch.load(std::memory_order_relaxed);
  reproducible_ = child.reproducible;
  set_key(child.key);
}

RandomBits RandomBits::split() {
  return RandomBits(child_key());
}

void RandomBits::refill() {
  prepare();
  if (state_->left > 0) return;  // a seeded stream continues after a fork
  generate(state_->words);
  state_->left = kBlockWords;
}

void RandomBits::prepare() {
  const std::uint64_t epoch = detail::fork_epoch.load(std::memory_order_relaxed);
  const bool forked = state_->epoch != epoch;
  if (!reproducible_ && (forked || state_->unseeded >= kReseedBytes)) {
    // Old stream XOR new entropy: unknown to an adversary who misses either.
    Key key, fresh;
    ask_operating_system(fresh);
    keystream(key);
    for (std::size_t i = 0; i < kKeyBytes; ++i) key[i] ^= fresh[i];
    OPENSSL_cleanse(fresh.data(), kKeyBytes);
    set_key(key);
    state_->unseeded = 0;
    if (forked) state_->left = 0;
  }
  state_->epoch = epoch;
}

void RandomBits::generate(std::span<std::uint64_t> words) {
  Key next;
  keystream(next);
  keystream({reinterpret_cast<unsigned char*>(words.data()), words.size_bytes()});
  set_key(next);
  state_->unseeded += words.size_bytes();
  // A cipher that returns its input, or a constant, must not be used for noise. A false alarm has probability
  // 2^-192.
  if (words.size() >= 4 && std::equal(words.begin() + 1, words.begin() + 4, words.begin())) fail_cipher();
}

void RandomBits::keystream(std::span<unsigned char> bytes) {
  std::memset(bytes.data(), 0, bytes.size());
  int written = 0;
  if (EVP_EncryptUpdate(cipher_.get(), bytes.data(), &written, bytes.data(),
                        static_cast<int>(bytes.size())) != 1 ||
      static_cast<std::size_t>(written) != bytes.size())
    fail_cipher();
}

// The counter starts at 0 under every key: a key is used for one block only.
void RandomBits::set_key(Key& key) {
  constexpr std::array<unsigned char, 16> zero{};
  const int done = EVP_EncryptInit_ex(cipher_.get(), nullptr, nullptr, key.data(), zero.data());
  OPENSSL_cleanse(key.data(), kKeyBytes);
  if (done != 1) fail_cipher();
}

}  // namespace tulle
