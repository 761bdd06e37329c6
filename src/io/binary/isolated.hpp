// Work that may crash, done in a process of its own.
#pragma once

#include "binary/byte_stream.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tulle {

using TakeBytes = std::function<void(std::string_view)>;

// Runs `work` in a child process; what it hands over is the returned stream. An Error that it throws is
// thrown by read(), as is one saying so when the process crashes, or hands over nothing for a minute. `name`
// is the file, for messages.
std::unique_ptr<ByteStream> run_isolated(const std::string& name,
                                         const std::function<void(const TakeBytes&)>& work);

}  // namespace tulle
