#pragma once

namespace tulle {

// zlib's windowBits for reading and writing: the largest window, with a gzip header.
inline constexpr int kGzipWindow = 15 + 16;

}  // namespace tulle
