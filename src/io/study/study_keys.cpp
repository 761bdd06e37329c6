#include <tulle/io/study_keys.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tulle {
namespace {

// The options of readers as keys of a study file.
using Key = std::pair<std::string_view, std::string_view>;
constexpr std::array kKeys = {
    Key{"columns", "key columns"}, Key{"duplicates", "key duplicates"},     Key{"format", "key format"},
    Key{"header", "key header"},   Key{"positions", "section [positions]"}, Key{"shape", "section [sizes]"}};

const Key* key_of(std::string_view id) {
  const auto found = std::ranges::find(kKeys, id, &Key::first);
  return found == kKeys.end() ? nullptr : &*found;
}

}  // namespace

std::string with_keys(const std::string& text) {
  return spelled(
      text, {.write = [](std::string_view id) { return std::string(key_of(id) ? key_of(id)->second : id); },
             .has = [](std::string_view id) { return key_of(id) != nullptr; }});
}

}  // namespace tulle
