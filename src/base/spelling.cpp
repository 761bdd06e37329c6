#include <tulle/base/spelling.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tulle {
namespace {

// Control characters, which no message has otherwise: around an id, a piece of advice, and what is hidden.
constexpr char kOption = '\x01', kEndOfOption = '\x02', kAdvice = '\x03', kEndOfAdvice = '\x04',
               kHidden = '\x05', kEndOfHidden = '\x06';

bool is_of_id(char c) {
  return (c >= 'a' && c <= 'z') || c == '-';
}

// The end of the id that begins at `start`; `start` where none does.
std::size_t end_of_id(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && is_of_id(text[end])) ++end;
  while (end > start && text[end - 1] == '-') --end;
  return end;
}

bool names_an_option(std::string_view text) {
  for (std::size_t at = text.find('@'); at != text.npos; at = text.find('@', at + 1))
    if (end_of_id(text, at + 1) > at + 1) return true;
  return false;
}

std::string with_marked_names(std::string_view text) {
  std::string marked;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = text[at] == '@' ? end_of_id(text, at + 1) : at + 1;
    if (end <= at + 1) {
      marked += text[at];
      continue;
    }
    marked += option_name(text.substr(at + 1, end - at - 1));
    at = end - 1;
  }
  return marked;
}

// Fields of public headers, by the ids of the options that messages name.
using Field = std::pair<std::string_view, std::string_view>;
constexpr std::array kFields = {
    Field{"calibration", "Terms::calibration"},
    Field{"classes", "LabelledFileOptions::classes"},
    Field{"columns", "ReadOptions::columns"},
    Field{"crop", "DataOptions::crop"},
    Field{"duplicates", "ReadOptions::duplicates"},
    Field{"format", "ReadOptions::format"},
    Field{"from-is-public", "WarmStart::stated_public"},
    Field{"header", "header"},
    Field{"holdout", "DataOptions::holdout"},
    Field{"labels", "LabelledFileOptions::labels"},
    Field{"nan-missing", "ReadOptions::nan_is_missing"},
    Field{"public", "DataOptions::public_modes"},
    Field{"shape", "ReadOptions::shape"},
    Field{"test", "DataOptions::test"},
    Field{"unlisted", "ReadOptions::unlisted"},
    Field{"validation", "CompletionData::validation"},
};

}  // namespace

std::string option_name(std::string_view id) {
  return kOption + std::string(id) + kEndOfOption;
}

std::string hidden(std::string_view part) {
  return kHidden + std::string(part) + kEndOfHidden;
}

std::string with_marks(std::string_view text) {
  std::string marked;
  while (!text.empty()) {
    const std::size_t open = std::min(text.find('['), text.size());
    const std::size_t close = std::min(text.find(']', open), text.size());
    const std::string_view inside = open < close ? text.substr(open + 1, close - open - 1) : "";
    marked += with_marked_names(text.substr(0, open));
    if (close == text.size()) {
      marked += with_marked_names(text.substr(open));
    } else if (names_an_option(inside)) {
      marked += kAdvice + with_marked_names(inside) + kEndOfAdvice;
    } else {
      marked += text.substr(open, close + 1 - open);
    }
    text.remove_prefix(std::min(close + 1, text.size()));
  }
  return marked;
}

std::string spelled(std::string_view marked, const Spelling& spelling) {
  std::string text;
  std::optional<std::size_t> advice;  // where it begins in `text`
  bool has_all = true;                // of the options that the advice names
  for (std::size_t at = 0; at < marked.size(); ++at) {
    if (marked[at] == kAdvice) {
      advice = text.size();
      has_all = true;
    } else if (marked[at] == kEndOfAdvice) {
      if (advice && !has_all) text.resize(*advice);
      advice.reset();
    } else if (marked[at] == kOption) {
      const std::size_t end = std::min(marked.find(kEndOfOption, at), marked.size());
      const std::string_view id = marked.substr(at + 1, end - at - 1);
      has_all = has_all && spelling.has(id);
      text += spelling.write(id);
      at = end;
    } else if (marked[at] == kHidden) {
      at = std::min(marked.find(kEndOfHidden, at), marked.size());
    } else {
      text += marked[at];
    }
  }
  return text;
}

const Spelling& cpp_spelling() {
  static const auto field = [](std::string_view id) { return std::ranges::find(kFields, id, &Field::first); };
  static const Spelling spelling{
      .write =
          [](std::string_view id) {
            return std::string(field(id) == kFields.end() ? id : field(id)->second);
          },
      .has = [](std::string_view id) { return field(id) != kFields.end(); }};
  return spelling;
}

}  // namespace tulle
