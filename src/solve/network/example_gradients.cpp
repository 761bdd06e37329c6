#include <tulle/base/error.hpp>
#include <tulle/solve/network/example_gradients.hpp>
#include <tulle/solve/network/network_pass.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kExamplesAtOnce = 1024;

struct Block {
  FloatMatrix examples;
  std::vector<int> labels;
};

Block block_of(const FloatMatrix& prepared, const std::vector<int>& labels,
               std::span<const std::uint64_t> examples) {
  Block block{FloatMatrix(static_cast<Eigen::Index>(examples.size()), prepared.cols()), {}};
  for (std::uint64_t example : examples) {
    block.examples.row(static_cast<Eigen::Index>(block.labels.size())) =
        prepared.row(static_cast<Eigen::Index>(example));
    block.labels.push_back(labels[example]);
  }
  return block;
}

// Squares are added up one after the other: the same whatever the row's place in memory.
double square_of(const FloatMatrix& matrix, Eigen::Index row) {
  const float* values = matrix.data() + row * matrix.outerStride();
  double sum = 0;
  for (Eigen::Index column = 0; column < matrix.cols(); ++column)
    sum += static_cast<double>(values[column]) * static_cast<double>(values[column]);
  return sum;
}

// Of every example: |(a, 1)| for each layer, and the norm of its gradient.
struct Norms {
  Matrix inputs;  // examples x layers
  Vector gradients;
};

Norms norms_of(const NetworkPass& pass, int layers) {
  const Eigen::Index rows = pass.inputs(0).rows();
  Norms norms{Matrix(rows, layers), Vector::Zero(rows)};
#pragma omp parallel for schedule(static)
  for (Eigen::Index row = 0; row < rows; ++row) {
    double square = 0;
    for (int layer = 0; layer < layers; ++layer) {
      const double inputs = square_of(pass.inputs(layer), row) + 1;
      norms.inputs(row, layer) = std::sqrt(inputs);
      square += inputs * square_of(pass.deltas(layer), row);
    }
    norms.gradients[row] = std::sqrt(square);
  }
  return norms;
}

// `scale` times the values of a row, as whole numbers.
void round_row(const FloatMatrix& matrix, Eigen::Index row, double scale, WholeMatrix& whole) {
  const float* values = matrix.data() + row * matrix.outerStride();
  double* rounded = whole.data() + row * whole.outerStride();
  for (Eigen::Index column = 0; column < matrix.cols(); ++column)
    rounded[column] = std::rint(scale * static_cast<double>(values[column]));
}

// What is left of the clip once rounding has lengthened the vectors; 2^-20 is for the rounding of
// doubles: of norms, and of the sum when it is multiplied by the clip, up to 2^-31 of the clip.
double clip_before_rounding(const NetworkLayout& layout) {
  double outputs = 0, inputs = 0;
  for (int layer = 0; layer < layout.layers(); ++layer) {
    outputs += static_cast<double>(layout.outputs(layer));
    inputs = std::max(inputs, static_cast<double>(layout.inputs(layer) + 1));
  }
  const double step = 0.5 / kMostWhole;
  return (1 / (1 + std::sqrt(inputs) * step) - std::sqrt(outputs) * step) * (1 - 0x1p-20);
}

// Adds the rounded products of one layer to `sums`. `weights`: what the gradients are multiplied by, over the
// clip; 0 for those that add nothing.
void add_layer(const NetworkPass& pass, int layer, const Norms& norms, const Vector& weights,
               Eigen::Ref<WholeMatrix> sums) {
  const FloatMatrix &inputs = pass.inputs(layer), &deltas = pass.deltas(layer);
  WholeMatrix left(inputs.rows(), inputs.cols() + 1), right(deltas.rows(), deltas.cols());
#pragma omp parallel for schedule(static)
  for (Eigen::Index row = 0; row < inputs.rows(); ++row) {
    if (weights[row] == 0) {
      left.row(row).setZero();
      right.row(row).setZero();
      continue;
    }
    const double unit = kMostWhole / norms.inputs(row, layer);
    round_row(inputs, row, unit, left);
    left(row, inputs.cols()) = std::rint(unit);
    round_row(deltas, row, -kMostWhole * weights[row] * norms.inputs(row, layer), right);
  }
  add_exact_products(left, right, sums);
}

}  // namespace

ExampleGradients::ExampleGradients(FloatMatrix prepared, std::vector<int> labels, const NetworkLayout& layout)
    : prepared_(std::move(prepared)), labels_(std::move(labels)), layout_(layout) {
  if (labels_.size() > kMostRows) fail("there are more than {} examples; train on a part of them", kMostRows);
}

ClippedSum ExampleGradients::sum(std::span<const double> parameters, std::span<const std::uint64_t> examples,
                                 double clip) const {
  ClippedSum result{std::vector<double>(layout_.size())};
  NetworkPass pass(layout_, parameters);
  const double most = clip_before_rounding(layout_);
  for (std::size_t first = 0; first < examples.size(); first += kExamplesAtOnce) {
    Block block = block_of(prepared_, labels_,
                           examples.subspan(first, std::min(kExamplesAtOnce, examples.size() - first)));
    pass.forward(std::move(block.examples));
    pass.backward(block.labels);
    const Norms norms = norms_of(pass, layout_.layers());
    Vector weights(norms.gradients.size());
    for (Eigen::Index row = 0; row < weights.size(); ++row) {
      const double norm = norms.gradients[row];
      const bool whole = norm <= clip * most;
      weights[row] = !std::isfinite(norm) ? 0 : whole ? 1 / clip : most / norm;
      (whole ? result.whole : result.clipped) += 1;
    }
    for (int layer = 0; layer < layout_.layers(); ++layer)
      add_layer(pass, layer, norms, weights,
                Eigen::Map<WholeMatrix>(result.numbers.data() + layout_.start(layer),
                                        layout_.inputs(layer) + 1, layout_.outputs(layer)));
  }
  for (double& number : result.numbers) number *= clip / (kMostWhole * kMostWhole);
  return result;
}

std::vector<double> ExampleGradients::norms(std::span<const double> parameters,
                                            std::span<const std::uint64_t> examples) const {
  NetworkPass pass(layout_, parameters);
  Block block = block_of(prepared_, labels_, examples);
  pass.forward(std::move(block.examples));
  pass.backward(block.labels);
  const Vector norms = norms_of(pass, layout_.layers()).gradients;
  return {norms.data(), norms.data() + norms.size()};
}

}  // namespace tulle
