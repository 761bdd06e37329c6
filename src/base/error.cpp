#include <tulle/base/error.hpp>

namespace tulle {

Error::Error(const std::string& text)
    : std::runtime_error(spelled(text, cpp_spelling())), text_(std::make_shared<const std::string>(text)) {}

Error::~Error() = default;
UsageError::~UsageError() = default;

std::string text_of(const std::exception& error) {
  if (const auto* own = dynamic_cast<const Error*>(&error)) return own->text();
  const std::string text = error.what();  // the JSON library begins with [json.exception.type_error.302]
  return text.starts_with("[json.exception.") ? text.substr(text.find("] ") + 2) : text;
}

}  // namespace tulle
