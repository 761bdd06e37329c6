// Errors of tables that a study file names. Readers say what to do, not by which option: it is a key of the
// study file here.
#pragma once

#include <tulle/base/error.hpp>

#include <string>

namespace tulle {

// The same message with the keys that do what it proposes, and without what no key does.
std::string with_keys(std::string message);

// What read() returns; its errors name keys.
template <class Read>
auto reading_by_keys(Read&& read) {
  try {
    return read();
  } catch (const UsageError& error) {
    throw UsageError(with_keys(error.what()));
  } catch (const Error& error) {
    throw Error(with_keys(error.what()));
  }
}

}  // namespace tulle
