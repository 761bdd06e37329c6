// Runs work that may crash in a separate process.
#pragma once

#include "binary/byte_stream.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tulle {

using TakeBytes = std::function<void(std::string_view)>;

// Runs `work` in a child process and returns its output as a stream. read() throws the Error that `work`
// throws, or an Error if the process crashes or sends nothing for a minute. `name` is the file, for messages.
std::unique_ptr<ByteStream> run_isolated(const std::string& name,
                                         const std::function<void(const TakeBytes&)>& work);

}  // namespace tulle
