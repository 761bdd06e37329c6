// Arrays in an .npz archive.
#pragma once

#include "binary/npy.hpp"
#include "binary/zip_reader.hpp"
#include "binary/zip_writer.hpp"

#include <tulle/tensor/sparse.hpp>

#include <memory>
#include <string>
#include <vector>

namespace tulle {

struct NpzArray {
  std::unique_ptr<ByteStream> stream;  // at the first element
  NpyHeader header;
};

// The array of that name; throws an Error if its size in the archive differs from the one in its own header:
// a zip bomb must state its size in two places.
NpzArray open_array(const ZipReader& zip, const std::string& array);

bool has_array(const ZipReader& zip, const std::string& array);
std::vector<std::string> array_names(const ZipReader& zip);

// Positions of cells, one row per cell: entries x modes.
std::vector<std::vector<Index>> read_cells(const ZipReader& zip, const std::string& member,
                                           const Shape& shape, std::uint64_t entries);
void write_cells(ZipWriter& zip, const std::string& member, const Cells& cells);

// All of the array's numbers, in file order.
std::vector<double> read_numbers(const NpzArray& array);

}  // namespace tulle
