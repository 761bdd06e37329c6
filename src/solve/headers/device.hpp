// Devices run the long computations of fits: the CPU, or another device.
//
// A device prepares data once and returns a handle to them. Factors stay with the data between the calls on a
// handle, which are few and large: only small matrices, sums that are needed in full, and options are
// transferred. No call takes a callback, so that all of it can run elsewhere. Sums are added in an order that
// follows from the data alone, not from the number of threads. tests/solve/naive_device.hpp implements every
// call by its definition; tests/solve/device_test.cpp compares a device with it.
//
// A handle refers to the data without copying them, so they must outlive it.
#pragma once

#include <tulle/model/tucker.hpp>
#include <tulle/solve/cp/completion_state.hpp>
#include <tulle/solve/fit.hpp>
#include <tulle/solve/network/example_gradients.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

namespace tulle {

// Alternating least squares for the CP model of a tensor whose unlisted cells, if it is sparse, are zeros.
class CpSweeps {
 public:
  virtual ~CpSweeps() = default;
  virtual double norm() const = 0;  // of the tensor

  // MTTKRP with matrices of any width: M[i, r] = sum over cells with position i in the mode of
  // X[cell] prod_(m != mode) matrices[m][i_m, r].
  virtual Matrix mttkrp(std::span<const Matrix> matrices, int mode) const = 0;

  // Sets the initial factors; returns their Gram matrices.
  virtual std::vector<Matrix> start(std::vector<Matrix> factors) = 0;

  struct Update {
    Matrix gram;       // of the new factor
    Vector lengths;    // of its columns, before they were scaled
    double inner = 0;  // <X, model>, of the last mode
  };
  // Sets the factor to MTTKRP x system^-1 (or pseudo-inverse) and scales its columns to length 1; columns of
  // zeros stay so. To be called for mode 0, 1, .. in turn.
  virtual Update update(int mode, const Matrix& system) = 0;

  virtual std::vector<Matrix> take() && = 0;  // the factors
};

// Higher-order orthogonal iteration for the Tucker model of such a tensor.
class TuckerSweeps {
 public:
  virtual ~TuckerSweeps() = default;
  virtual double squared_norm() = 0;  // of the tensor

  // Sets the initial factors, or computes them from the tensor's own unfoldings: by sequential truncation,
  // which gives the core too, if the tensor is dense, and from sketches if it is sparse.
  virtual void start(std::vector<Matrix> factors) = 0;
  virtual void start_spectral(const std::vector<int>& ranks, std::uint64_t seed) = 0;

  // Each factor in turn becomes the leading left singular vectors of the tensor's projection on the others.
  // Returns the squared norm of the core.
  virtual double sweep() = 0;

  virtual Tucker take() && = 0;
};

// Least squares row by row for the CP model of observed cells.
class CpCompletion {
 public:
  virtual ~CpCompletion() = default;
  virtual void set(CompletionState state) = 0;
  virtual const CompletionState& state() const = 0;

  // Results of an update besides the rows: the errors; in addition those that need the inverse of every row's
  // matrix; or these with the variances of the rows, which later updates of other modes then include.
  // Variances are 0 after set(). Results that are not computed are 0.
  enum class Measure { errors, inverses, variances };
  struct Outcome {
    double squares = 0;      // of the errors on the observed cells
    double uncertainty = 0;  // expected addition to `squares` because the model is not known exactly
    double freedom = 0;      // effective number of parameters of the rows
    Vector moments;          // of each column, and of the offsets: mean of the square plus the variance
  };
  // Sets the rows of a mode to those that fit best under the prior, with the other modes held fixed.
  virtual Outcome update(int mode, const Prior& prior, Measure measure) = 0;

  // Makes each component's columns equally long in all modes, unless a mode is held.
  virtual void balance() = 0;

  virtual double validation_rmse() const = 0;  // in the unit of the data; NaN without validation data
};

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string_view name() const = 0;

  virtual std::unique_ptr<CpSweeps> cp_sweeps(const DenseTensor& tensor) const = 0;
  virtual std::unique_ptr<CpSweeps> cp_sweeps(const SparseTensor& tensor) const = 0;
  virtual std::unique_ptr<TuckerSweeps> tucker_sweeps(const DenseTensor& tensor) const = 0;
  virtual std::unique_ptr<TuckerSweeps> tucker_sweeps(const SparseTensor& tensor) const = 0;
  virtual std::unique_ptr<CpCompletion> cp_completion(const SparseTensor& observed,
                                                      const SparseTensor* validation,
                                                      const CompletionState& state) const = 0;
  virtual std::unique_ptr<ClippedCells> clipped_cells(const SparseTensor& observed, const ModelLayout& layout,
                                                      const Standard& standard, double share) const = 0;
  virtual std::unique_ptr<ClippedSlices> clipped_slices(const SparseTensor& observed,
                                                        const ModelLayout& layout, int mode,
                                                        SliceTables tables) const = 0;
  virtual std::unique_ptr<ClippedExamples> clipped_examples(FloatMatrix prepared, std::vector<int> labels,
                                                            const NetworkLayout& layout) const = 0;
};

const Device& cpu();
inline const Device& device_or_cpu(const Device* device) {
  return device != nullptr ? *device : cpu();
}

}  // namespace tulle
