#include <tulle/base/spelling.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tulle {
namespace {

// Unicode noncharacters from U+FDD0 on, which have no meaning in a text. They mark an id, a piece of advice
// and hidden parts; other noncharacters in a text are left as they are.
constexpr std::string_view kOption = "\uFDD0", kEndOfOption = "\uFDD1", kAdvice = "\uFDD2",
                           kEndOfAdvice = "\uFDD3", kHidden = "\uFDD4", kEndOfHidden = "\uFDD5";

bool is_of_id(char c) {
  return (c >= 'a' && c <= 'z') || c == '-';
}

// The end of the id that begins at `start`; `start` if there is none.
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

// Fields in public headers, by option id.
using Field = std::pair<std::string_view, std::string_view>;
constexpr std::array kFields = {
    Field{"accept-losses", "LedgerOptions::accept_losses"},
    Field{"biases", "FitOptions::biases"},
    Field{"calibration", "Terms::calibration"},
    Field{"classes", "LabelledFileOptions::classes"},
    Field{"columns", "ReadOptions::columns"},
    Field{"crop", "DataOptions::crop"},
    Field{"duplicates", "ReadOptions::duplicates"},
    Field{"format", "ReadOptions::format"},
    Field{"from-is-public", "WarmStart::stated_public"},
    Field{"header", "header"},
    Field{"holdout", "DataOptions::holdout"},
    Field{"iterations", "FitOptions::max_iterations"},
    Field{"labels", "LabelledFileOptions::labels"},
    Field{"nan-missing", "ReadOptions::nan_is_missing"},
    Field{"public", "DataOptions::public_modes"},
    Field{"rank", "FitOptions::ranks"},
    Field{"ridge", "FitOptions::ridge"},
    Field{"shape", "ReadOptions::shape"},
    Field{"solver", "FitOptions::solver"},
    Field{"start", "FitOptions::start"},
    Field{"test", "DataOptions::test"},
    Field{"tolerance", "FitOptions::tolerance"},
    Field{"unlisted", "ReadOptions::unlisted"},
    Field{"validation", "CompletionData::validation"},
};

// The text between two marks, if it begins with the first; nothing if the second is missing.
std::optional<std::string_view> between(std::string_view text, std::string_view open,
                                        std::string_view close) {
  if (!text.starts_with(open)) return std::nullopt;
  const std::size_t end = text.find(close, open.size());
  if (end == text.npos) return std::nullopt;
  return text.substr(open.size(), end - open.size());
}

// True if an interface has every option that a piece of advice names.
bool has_all(std::string_view advice, const Spelling& spelling) {
  for (; !advice.empty(); advice.remove_prefix(1))
    if (const auto id = between(advice, kOption, kEndOfOption); id && !spelling.has(*id)) return false;
  return true;
}

}  // namespace

std::string option_name(std::string_view id) {
  return fmt::format("{}{}{}", kOption, id, kEndOfOption);
}

std::string hidden(std::string_view part) {
  return fmt::format("{}{}{}", kHidden, part, kEndOfHidden);
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
      marked += fmt::format("{}{}{}", kAdvice, with_marked_names(inside), kEndOfAdvice);
    } else {
      marked += text.substr(open, close + 1 - open);
    }
    text.remove_prefix(std::min(close + 1, text.size()));
  }
  return marked;
}

std::string spelled(std::string_view marked, const Spelling& spelling) {
  std::string text;
  while (!marked.empty()) {
    if (const auto id = between(marked, kOption, kEndOfOption); id && end_of_id(*id, 0) == id->size()) {
      text += spelling.write(*id);
      marked.remove_prefix(kOption.size() + id->size() + kEndOfOption.size());
    } else if (const auto advice = between(marked, kAdvice, kEndOfAdvice)) {
      if (has_all(*advice, spelling)) text += spelled(*advice, spelling);
      marked.remove_prefix(kAdvice.size() + advice->size() + kEndOfAdvice.size());
    } else if (const auto part = between(marked, kHidden, kEndOfHidden)) {
      marked.remove_prefix(kHidden.size() + part->size() + kEndOfHidden.size());
    } else {
      text += marked.front();
      marked.remove_prefix(1);
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
