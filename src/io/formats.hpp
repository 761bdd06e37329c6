// The formats of tensors. A new one needs a row in the table in formats.cpp and a file with its
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

// Read and written sequentially, so it may be compressed or be standard input or output.
struct StreamFormat {
  Dataset (*read)(Source& source, const ReadOptions& options);
  void (*write)(Sink& sink, const Dataset& data, const std::vector<ValueColumn>& more);
  CellList (*read_cells)(Source& source, const ReadOptions& options) = nullptr;  // for lists of cells
};

// An archive, which its library reads with seeks.
struct ArchiveFormat {
  Dataset (*read)(const std::string& path, const ReadOptions& options);
  void (*write)(const std::string& path, const Dataset& data);
};

struct FormatRow : FormatTraits {
  bool lists_cells = true;  // otherwise it holds every cell
  bool only_matrices = false;
  std::variant<StreamFormat, ArchiveFormat> file;
};

std::span<const FormatRow> formats();
const FormatRow& row_of(Format format);

}  // namespace tulle
