// Errors of tables that a study file names: what a reader advises is a key of the study file here.
#pragma once

#include <tulle/base/error.hpp>

#include <string>

namespace tulle {

// A marked text with keys for options, and without advice that no key follows.
std::string with_keys(const std::string& text);

// What read() returns; its errors name keys.
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
