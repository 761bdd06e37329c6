// The border between libtulle and libtulle_cuda, which is compiled by nvcc and loaded at run time where there
// is a GPU: plain numbers and the standard library alone, since nvcc compiles no Eigen.
//
// Factors are rows of `stride` doubles, padded with zeros to a multiple of 4 (tensor/panel.hpp). Whatever
// fails throws std::runtime_error, before any result is changed. Every sum is added in an order that follows
// from the data alone, so a second run gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tulle::gpu {

constexpr int kBorder = 1;  // changes with this file: both sides must have been built with the same
constexpr int kMostOrder = 8;

// Listed cells, ordered by their position in one mode.
struct SortedList {
  int mode = 0;
  std::vector<int> others;                   // modes of the positions, in their order
  std::span<const std::uint32_t> rows;       // positions that occur in the mode, ascending
  std::span<const std::size_t> starts;       // cells of rows[r] are starts[r] .. starts[r + 1]
  std::span<const std::uint32_t> positions;  // in the other modes, those of a cell side by side
  std::span<const float> values;
};

// solve/device.hpp explains both kinds of fits.
class Sweeps {
 public:
  virtual ~Sweeps() = default;
  // Of factors of any width.
  virtual void mttkrp(std::span<const double* const> factors, int stride, int mode, double* result) = 0;
  virtual void start(int stride) = 0;  // before set()
  virtual void set(int mode, const double* factor) = 0;
  virtual void get(int mode, double* factor) = 0;
  virtual void gram(int mode, double* result) = 0;  // stride x stride
  // Sets the factor to MTTKRP x matrix; returns sum MTTKRP * factor if `inner`, else 0.
  virtual double update(int mode, const double* matrix, bool inner) = 0;
  virtual void scale(int mode, const double* by_column) = 0;
};

// Sums over the rows of an update.
struct RowSums {
  std::size_t rows = 0;
  double squares = 0, uncertainty = 0, freedom = 0;
  std::vector<double> moments;  // of each column, then of the offsets: square plus variance
};

class Completion {
 public:
  virtual ~Completion() = default;
  virtual void set(int mode, const double* factor, const double* offsets) = 0;
  virtual void get(int mode, double* factor, double* offsets) = 0;
  virtual void forget_variances() = 0;
  enum class Measure { errors, inverses, variances };
  virtual RowSums update(int mode, std::span<const double> ridge, double noise, Measure measure) = 0;
  virtual std::vector<double> squares_of_columns(int mode) = 0;
  virtual void scale(int mode, const double* by_column) = 0;
  // Of cells that are listed column by column, with values that are no deviations.
  virtual void validate_on(std::vector<std::span<const std::uint32_t>> columns,
                           std::span<const float> values) = 0;
  virtual double squares_on_validation(double level, double scale) = 0;
};

struct FactorSizes {
  std::vector<std::size_t> rows;  // by mode
  int rank = 0, stride = 0;
};

class Gpu {
 public:
  virtual ~Gpu() = default;
  virtual std::string name() const = 0;
  virtual std::unique_ptr<Sweeps> sweeps(std::span<const SortedList> lists,
                                         std::vector<std::size_t> rows) const = 0;
  virtual std::unique_ptr<Completion> completion(std::span<const SortedList> lists, const FactorSizes& sizes,
                                                 bool offsets) const = 0;
};

// Of libtulle_cuda: the GPU of this number, from 0. Its name is kOpen.
using Open = std::unique_ptr<Gpu> (*)(int border, int number);
constexpr const char* kOpen = "tulle_open_gpu";

}  // namespace tulle::gpu
