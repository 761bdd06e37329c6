// A list of cells in the memory of the GPU, cut into segments that warps sum over.
#pragma once

#include "../gpu.hpp"
#include "buffer.cuh"

namespace tulle::gpu {

// Cells begin .. end of one row. Sums over the segments of a row are added in their order afterwards: atomic
// additions would add them in any.
struct Segment {
  std::size_t begin, end;
};

// How a kernel reads cells: the factors of the other modes, and what belongs to them.
struct Reads {
  const std::uint32_t* positions;
  const float* values;
  const double* factors[kMostOrder - 1];
  const double* variances[kMostOrder - 1];  // of the factors' elements
  const double* offsets[kMostOrder - 1];
  int others, stride;
};

class List {
 public:
  explicit List(const SortedList& list);

  int mode() const { return mode_; }
  std::size_t rows() const { return rows_.size(); }
  std::size_t segments() const { return segments_.size(); }
  std::size_t first_segment(std::size_t row) const { return first_segments_on_host_[row]; }

  // Of rows first .. last those of several segments, and how many.
  std::pair<const std::uint32_t*, std::size_t> long_rows(std::size_t first, std::size_t last) const;

  const std::uint32_t* row_positions() const { return rows_.data(); }
  const Segment* segment_list() const { return segments_.data(); }
  const std::uint32_t* first_segments() const { return first_segments_.data(); }
  // With a pointer per mode; those of variances and offsets may be empty.
  Reads reads(std::span<const double* const> factors, std::span<const double* const> variances,
              std::span<const double* const> offsets, int stride) const;

 private:
  int mode_;
  std::vector<int> others_;
  Buffer<std::uint32_t> rows_, positions_;
  Buffer<float> values_;
  std::vector<std::uint32_t> first_segments_on_host_, long_rows_on_host_;
  Buffer<std::uint32_t> first_segments_, long_rows_;
  Buffer<Segment> segments_;
};

}  // namespace tulle::gpu
