#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/solve/network/example_gradients.hpp>
#include <tulle/solve/network/network_pass.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Block sizes. For a linear classifier, which computes little with each value, blocks stay in the cache
// between the pass and the sum of gradients; for other networks, they are large enough for efficient
// products.
constexpr std::size_t kExamplesAtOnce = 1024, kLinearAtOnce = 256;

// The sum of squares, in an order that depends on the number of columns alone: it is the same wherever the
// row lies in memory.
TULLE_MULTIARCH
double square_of_values(const float* values, Eigen::Index count) {
  constexpr int kSums = 4, kAtOnce = kSums * kFloatLane;
  WideLane sums[kSums] = {};
  Eigen::Index i = 0;
  for (; i + kAtOnce <= count; i += kAtOnce) {
    const auto* lanes_of_values = reinterpret_cast<const FloatLaneInMemory*>(values + i);
    for (int j = 0; j < kSums; ++j) {
      const WideLane wide = widened(lanes_of_values[j]);
      sums[j] += wide * wide;
    }
  }
  double sum = 0;
  for (const WideLane& each : sums) sum += (each[0] + each[1]) + (each[2] + each[3]);
  for (; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return sum;
}

double square_of(const FloatMatrix& matrix, Eigen::Index row) {
  return square_of_values(matrix.data() + row * matrix.outerStride(), matrix.cols());
}

// For every example, |(a, 1)| in each layer and the norm of the gradient.
struct Norms {
  Matrix inputs;  // examples x layers
  Vector gradients;
};

// `first`: |a|^2 of the first layer, which no parameter changes.
Norms norms_of(const NetworkPass& pass, int layers, const std::vector<double>& first) {
  const Eigen::Index rows = pass.inputs(0).rows();
  Norms norms{Matrix(rows, layers), Vector::Zero(rows)};
#pragma omp parallel for schedule(static)
  for (Eigen::Index row = 0; row < rows; ++row) {
    double square = 0;
    for (int layer = 0; layer < layers; ++layer) {
      const double inputs =
          1 + (layer == 0 ? first[static_cast<std::size_t>(row)] : square_of(pass.inputs(layer), row));
      norms.inputs(row, layer) = std::sqrt(inputs);
      square += inputs * square_of(pass.deltas(layer), row);
    }
    norms.gradients[row] = std::sqrt(square);
  }
  return norms;
}

// The share of `clip` to which gradients are clipped, since rounding lengthens the vectors. 2^-20 covers the
// rounding of doubles: of norms, and of the sum when it is multiplied by the clip, up to 2^-31 of the clip.
double clip_before_rounding(const NetworkLayout& layout) {
  double outputs = 0, inputs = 0;
  for (int layer = 0; layer < layout.layers(); ++layer) {
    outputs += static_cast<double>(layout.outputs(layer));
    inputs = std::max(inputs, static_cast<double>(layout.inputs(layer) + 1));
  }
  const double step = 0.5 / kMostWhole;
  return (1 / (1 + std::sqrt(inputs) * step) - std::sqrt(outputs) * step) * (1 - 0x1p-20);
}

// Adds the rounded products of one layer to `sums`. `weights`: the factors of the gradients, divided by the
// clip; 0 for gradients that add nothing.
void add_layer(const NetworkPass& pass, int layer, const Norms& norms, const Vector& weights,
               Eigen::Ref<WholeMatrix> sums) {
  const FloatMatrix &inputs = pass.inputs(layer), &deltas = pass.deltas(layer);
  std::vector<double> of_inputs(static_cast<std::size_t>(inputs.rows())), of_deltas(of_inputs.size());
  for (Eigen::Index row = 0; row < inputs.rows(); ++row)
    if (weights[row] != 0) {
      const double norm = norms.inputs(row, layer);
      of_inputs[static_cast<std::size_t>(row)] = kMostWhole / norm;
      of_deltas[static_cast<std::size_t>(row)] = -kMostWhole * weights[row] * norm;
    }
  const FloatMatrix ones = FloatMatrix::Ones(inputs.rows(), 1);
  add_exact_products({inputs, of_inputs}, {deltas, of_deltas}, sums.topRows(inputs.cols()));
  add_exact_products({ones, of_inputs}, {deltas, of_deltas}, sums.bottomRows(1));
}

}  // namespace

ExampleGradients::ExampleGradients(FloatMatrix prepared, std::vector<int> labels, const NetworkLayout& layout)
    : prepared_(std::move(prepared)), labels_(std::move(labels)), squares_(labels_.size()), layout_(layout) {
  if (labels_.size() > kMostRows) fail("there are more than {} examples; train on a part of them", kMostRows);
  const bool threaded = static_cast<std::size_t>(prepared_.size()) >= kWorthThreads;
#pragma omp parallel for schedule(static) if (threaded)
  for (std::size_t row = 0; row < squares_.size(); ++row)
    squares_[row] = square_of(prepared_, static_cast<Eigen::Index>(row));
}

ExampleGradients::Block ExampleGradients::block_of(std::span<const std::uint64_t> examples) const {
  Block block{FloatMatrix(static_cast<Eigen::Index>(examples.size()), prepared_.cols()),
              std::vector<double>(examples.size()), std::vector<int>(examples.size())};
  const bool threaded = static_cast<std::size_t>(block.examples.size()) >= kWorthThreads;
#pragma omp parallel for schedule(static) if (threaded)
  for (std::size_t i = 0; i < examples.size(); ++i) {
    block.examples.row(static_cast<Eigen::Index>(i)) = prepared_.row(static_cast<Eigen::Index>(examples[i]));
    block.squares[i] = squares_[examples[i]];
    block.labels[i] = labels_[examples[i]];
  }
  return block;
}

ClippedSum ExampleGradients::sum(std::span<const double> parameters, std::span<const std::uint64_t> examples,
                                 double clip) const {
  ClippedSum result{std::vector<double>(layout_.size())};
  NetworkPass pass(layout_, parameters);
  const double most = clip_before_rounding(layout_);
  const std::size_t at_once = layout_.layers() == 1 ? kLinearAtOnce : kExamplesAtOnce;
  for (std::size_t first = 0; first < examples.size(); first += at_once) {
    Block block = block_of(examples.subspan(first, std::min(at_once, examples.size() - first)));
    pass.forward(std::move(block.examples));
    pass.backward(block.labels);
    const Norms norms = norms_of(pass, layout_.layers(), block.squares);
    Vector weights(norms.gradients.size());
    for (Eigen::Index row = 0; row < weights.size(); ++row) {
      const double norm = norms.gradients[row];
      const bool whole = norm <= clip * most;
      weights[row] = !std::isfinite(norm) ? 0 : whole ? 1 / clip : most / norm;
      if (weights[row] == 0) pass.erase(row);
      (whole ? result.whole : result.clipped) += 1;
    }
    for (int layer = 0; layer < layout_.layers(); ++layer)
      add_layer(pass, layer, norms, weights,
                Eigen::Map<WholeMatrix>(result.numbers.data() + layout_.start(layer),
                                        layout_.inputs(layer) + 1, layout_.outputs(layer)));
  }
  const double unit = clip / (kMostWhole * kMostWhole);
#pragma omp parallel for schedule(static) if (result.numbers.size() >= kWorthThreads)
  for (std::size_t i = 0; i < result.numbers.size(); ++i) result.numbers[i] *= unit;
  return result;
}

}  // namespace tulle
