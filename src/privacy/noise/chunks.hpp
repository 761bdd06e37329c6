// Random work on many threads with results that do not depend on their number: the work is cut into chunks of
// fixed size, and each chunk draws from its own stream, split off in order.
#pragma once

#include <tulle/privacy/noise/random_bits.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace tulle {

// Calls body(begin, end, bits) for each chunk of 0 .. size-1. Throws the first exception in the order of
// chunks.
template <class Body>
void for_each_chunk(std::size_t size, std::size_t chunk, RandomBits& bits, Body body) {
  constexpr std::size_t kBatch = 64;  // streams that are prepared at a time
  for (std::size_t start = 0; start < size; start += kBatch * chunk) {
    const std::size_t count = std::min((size - start + chunk - 1) / chunk, kBatch);
    std::vector<RandomBits::ChildKey> streams;
    for (std::size_t i = 0; i < count; ++i) streams.push_back(bits.child_key());
    std::vector<std::exception_ptr> errors(count);
#pragma omp parallel if (count > 1)
    {
      std::optional<RandomBits> stream;  // of one thread, reused for chunk after chunk
#pragma omp for schedule(dynamic, 1)
      for (std::size_t i = 0; i < count; ++i) {
        try {
          const std::size_t begin = start + i * chunk;
          if (stream)
            stream->rekey(std::move(streams[i]));
          else
            stream.emplace(std::move(streams[i]));
          body(begin, std::min(begin + chunk, size), *stream);
        } catch (...) {
          errors[i] = std::current_exception();
        }
      }
    }
    for (const auto& error : errors)
      if (error) std::rethrow_exception(error);
  }
}

}  // namespace tulle
