// The binary formats.
#pragma once

#include "sink.hpp"
#include "source.hpp"

#include <tulle/io/read.hpp>
#include <tulle/tensor/dataset.hpp>

#include <functional>
#include <span>
#include <string>

namespace tulle {

// .npy is a stream: it may be compressed or come from standard input. .npz and .mat are archives that their
// libraries seek in.
Dataset read_npy(Source& source, const ReadOptions& options);
// Passes the array to `take` in blocks, in C order, after calling `begin` with the shape, for callers that do
// not need all of it at once.
void read_npy(Source& source, const std::function<void(const Shape&)>& begin,
              const std::function<void(std::span<const double>)>& take);
Dataset read_npz(const std::string& path, const ReadOptions& options);
Dataset read_mat(const std::string& path, const ReadOptions& options);

// The caller commits the sink; the writers that take a path use an AtomicFile.
void write_npy(Sink& sink, const Dataset& data);
void write_npz(const std::string& path, const Dataset& data);
void write_mat(const std::string& path, const Dataset& data);

}  // namespace tulle
