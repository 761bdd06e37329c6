// That something fails, and with which message.
#pragma once

#include <tulle/base/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace tulle {

template <class Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no error)";
}

#define EXPECT_MESSAGE(work, message) EXPECT_EQ(::tulle::message_of([&] { (void)(work); }), message)

}  // namespace tulle
