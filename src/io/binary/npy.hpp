// The .npy format, alone or as a member of an .npz (NumPy Enhancement Proposal 1; versions 1.0 to 3.0).
#pragma once

#include "binary/byte_stream.hpp"
#include "binary/collect.hpp"
#include "binary/element.hpp"

#include <span>
#include <string>
#include <vector>

namespace tulle {

struct NpyHeader {
  ElementType type;
  std::size_t text_bytes = 0;  // of a text element ('S3'), as for names of formats; 0 for other types
  CellOrder order = CellOrder::c;
  std::vector<std::uint64_t> shape;  // any number of modes, also none, of any size
  std::size_t header_bytes = 0;      // from the magic number to the first element

  std::uint64_t elements() const;
  std::uint64_t bytes() const;  // of the whole array with its header; both fit 64 bits
};

// Reads up to the first element. Throws an Error with its own message for each fault of a header.
NpyHeader read_npy_header(ByteStream& stream);

// Passes all elements on in the order of the file, in blocks. The stream must end after them.
void read_npy_elements(ByteStream& stream, const NpyHeader& header, const TakeNumbers& take);

// An array of 2 to 8 modes.
Dataset read_npy_tensor(ByteStream& stream, const NpyHeader& header, const ReadOptions& options = {});

// Version 1.0, C order, this machine's byte order; `descr` without the byte order ("f8"), as "f8", "f4",
// "u4", "i8".
std::string npy_header(std::string_view descr, std::span<const std::uint64_t> shape);

}  // namespace tulle
