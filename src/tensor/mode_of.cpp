#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>

namespace tulle {

int mode_of(const std::string& text, const std::vector<Mode>& modes, std::string_view what) {
  const auto named = std::ranges::find(modes, text, &Mode::name);
  if (named != modes.end()) return static_cast<int>(named - modes.begin());
  const auto number = parse_number<std::size_t>(text);
  if (!number || *number < 1 || *number > modes.size()) {
    std::vector<std::string> names;
    for (const Mode& mode : modes) names.push_back(mode.name);
    fail_usage("{} {}: there is no such mode{}; give a name or a number from 1 to {}", what, text,
               suggestion(text, names), modes.size());
  }
  return static_cast<int>(*number) - 1;
}

}  // namespace tulle
