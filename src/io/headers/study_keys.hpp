// Errors in tables that a study file names: options in them are spelled as keys of the study file.
#pragma once

#include <tulle/base/error.hpp>

#include <string>

namespace tulle {

// A marked text with options spelled as keys, and without advice for which there is no key.
std::string with_keys(const std::string& text);

// Returns the result of read(); its errors name keys.
template <class Read>
auto reading_by_keys(Read&& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw UsageError(with_keys(error.text()));
  } catch (const Error& error) {
    throw Error(with_keys(error.text()));
  }
}

}  // namespace tulle
