#include <tulle/base/error.hpp>

namespace tulle {

Error::Error(const std::string& text)
    : std::runtime_error(spelled(text, cpp_spelling())), text_(std::make_shared<const std::string>(text)) {}

Error::~Error() = default;
UsageError::~UsageError() = default;

std::string text_of(const std::exception& error) {
  const auto* own = dynamic_cast<const Error*>(&error);
  return own ? own->text() : error.what();
}

}  // namespace tulle
