// The text formats. The size of the chunks is a parameter for tests: the result does not depend
// on it.
#pragma once

#include "sink.hpp"
#include "source.hpp"
#include "text/chunks.hpp"

#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>
#include <tulle/tensor/dataset.hpp>

namespace tulle {

Dataset read_tns(Source& source, const ReadOptions& options, std::size_t chunk_bytes = kChunkBytes);
Dataset read_csv(Source& source, char separator, const ReadOptions& options,
                 std::size_t chunk_bytes = kChunkBytes);
Dataset read_mtx(Source& source, const ReadOptions& options, std::size_t chunk_bytes = kChunkBytes);

CellList read_tns_cells(Source& source, const ReadOptions& options, std::size_t chunk_bytes = kChunkBytes);
CellList read_csv_cells(Source& source, char separator, const ReadOptions& options,
                        std::size_t chunk_bytes = kChunkBytes);
CellList read_mtx_cells(Source& source, const ReadOptions& options, std::size_t chunk_bytes = kChunkBytes);

// The caller commits the sink.
void write_tns(Sink& sink, const Dataset& data);
void write_csv(Sink& sink, char separator, const Dataset& data, const std::vector<ValueColumn>& more);
void write_mtx(Sink& sink, const Dataset& data);

}  // namespace tulle
