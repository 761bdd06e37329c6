// The formats of tensors. A further one is a row of the table in formats.cpp and the file that has its
// functions.
#pragma once

#include "sink.hpp"
#include "source.hpp"

#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace tulle {

// Read and written from the beginning to the end: may be compressed or come from standard input.
struct StreamFormat {
  Dataset (*read)(Source& source, const ReadOptions& options);
  void (*write)(Sink& sink, const Dataset& data, const std::vector<ValueColumn>& more);
  CellList (*read_cells)(Source& source, const ReadOptions& options) = nullptr;  // of a list of cells
};

// An archive, in which its library seeks.
struct ArchiveFormat {
  Dataset (*read)(const std::string& path, const ReadOptions& options);
  void (*write)(const std::string& path, const Dataset& data);
};

struct FormatRow : FormatTraits {
  bool lists_cells = true;  // else it holds every cell
  bool only_matrices = false;
  std::variant<StreamFormat, ArchiveFormat> file;
};

std::span<const FormatRow> formats();
const FormatRow& row_of(Format format);

}  // namespace tulle
