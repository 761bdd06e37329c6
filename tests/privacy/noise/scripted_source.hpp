// Stands between the library and its two sources, getentropy and OpenSSL's AES, by defining their symbols in
// the test program: the library itself has no way to be given false bits.
#pragma once

#include <cstdint>
#include <vector>

namespace tulle::testing {

int entropy_calls();  // so far

struct EntropyFails {
  EntropyFails();
  ~EntropyFails();
};

// While it lives, every block of every stream begins with these words; the others are their own positions.
struct ScriptedWords {
  explicit ScriptedWords(std::vector<std::uint64_t> words);
  ~ScriptedWords();
};

}  // namespace tulle::testing
