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

// The array of that name; an Error when its size in the archive is not the one that its own header tells: a
// zip bomb has to say in two places how large it is.
NpzArray open_array(const ZipReader& zip, const std::string& array);

bool has_array(const ZipReader& zip, const std::string& array);
std::vector<std::string> array_names(const ZipReader& zip);

// Positions of cells, a row each: entries x modes.
std::vector<std::vector<Index>> read_cells(const ZipReader& zip, const std::string& member,
                                           const Shape& shape, std::uint64_t entries);
void write_cells(ZipWriter& zip, const std::string& member, const Cells& cells);

// All of the array's numbers, in file order.
std::vector<double> read_numbers(const NpzArray& array);

}  // namespace tulle
