// What every test of bad input says: this call is refused, with these words.
#pragma once

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tulle {

template <class Kind = Error, class Call>
void expect_error(Call call, const std::string& words) {
  try {
    call();
  } catch (const Kind& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    return;
  }
  ADD_FAILURE() << "no error; expected one that says: " << words;
}

}  // namespace tulle
