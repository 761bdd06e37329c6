#include "descent.hpp"

#include "model_request.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

// Numbers whose own curvature is small against that of their neighbours take no larger steps than this
// allows: their gradients are mostly noise.
constexpr double kDamping = 0.1;

// The assumed share of the curvature that shows in clipped gradients of columns that are not independent.
constexpr double kFollowed = 0.3;

// Strength of the ridge that follows from the noise: chosen among 0, 1 and 4 on tensors of wei2022's
// generator (seeds 101 to 103) and on a tenth of MovieLens' training cells held out.
constexpr double kNoiseRidge = 4;

constexpr double kTiny = 1e-300;  // keeps what is divided by above zero

double sum_of(std::span<const double> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

// The standard deviation of independent parameters whose predictions have the expected variance: a prediction
// is a sum of products of one parameter per mode and, for Tucker, of the core.
double start_deviation(const ModelLayout& layout) {
  const double terms = static_cast<double>(layout.has_core() ? layout.core_size() : layout.columns(0));
  return std::pow(kExpectedSignal / terms, 0.5 / (layout.order() + (layout.has_core() ? 1 : 0)));
}

}  // namespace

Descent::Descent(const ModelLayout& layout, std::optional<int> user_mode, std::uint64_t seed)
    : layout_(layout),
      user_mode_(user_mode),
      start_square_(std::pow(start_deviation(layout), 2)),
      numbers_(random_numbers(layout, start_deviation(layout), seed)) {
  for (int mode = 0; mode < layout.order(); ++mode)
    add_piece(layout.start(mode), layout.factor_size(mode), layout.columns(mode), mode != user_mode);
  if (layout.has_core()) add_piece(layout.core_start(), layout.core_size(), layout.core_size(), true);
  measure_curvature();
  // Numbers that noise has shrunk to nothing would take endless steps: a thousandth of the start is the
  // least.
  for (Piece& piece : pieces_)
    piece.least_curvature = 1e-3 * sum_of(piece.curvature) / static_cast<double>(piece.columns());
  least_length_ = 1e-3 * gradient_length();
}

void Descent::add_piece(std::size_t start, std::size_t size, std::size_t columns, bool moves) {
  Piece piece{start, size, moves, std::vector<double>(columns), std::vector<double>(columns), {}, 0};
  if (moves) {
    for (std::size_t i = 0; i < size; ++i)
      piece.squares[i % columns] += numbers_[start + i] * numbers_[start + i] / piece.rows();
  } else {
    std::fill_n(numbers_.begin() + static_cast<std::ptrdiff_t>(start), size, 0.0);
  }
  piece.noise = piece.squares;  // where it starts is noise too
  pieces_.push_back(std::move(piece));
}

double Descent::moving_pieces() const {
  return static_cast<double>(std::ranges::count(pieces_, true, &Piece::moves));
}

double Descent::gradient_length() const {
  double squares = 0;
  for (const Piece& piece : pieces_)
    if (piece.moves) squares += sum_of(piece.curvature);
  return std::max(std::sqrt(squares), least_length_);
}

// Rows with variance v per column have the ridge noise / v, where v = signal / (columns curvature) for each
// column.
double Descent::user_ridge() const {
  return std::max(kExpectedNoise / kExpectedSignal * sum_of(pieces_[*user_mode_].curvature), 1e-12);
}

double Descent::step(const Slope& slope, double rate, double ridge) {
  double length = 0, moved = 0;
  for (const Piece& piece : pieces_)
    if (piece.moves) length += piece.rows() * sum_of(piece.squares);
  for (Piece& piece : pieces_)
    if (piece.moves) moved += move(piece, slope, rate / moving_pieces(), ridge);  // they all move at once
  if (layout_.has_core())
    balance_tucker();
  else
    balance_cp();
  measure_curvature();
  return std::sqrt(moved / std::max(length, kTiny));
}

// Returns the square of how far it went.
double Descent::move(Piece& piece, const Slope& slope, double rate, double ridge) {
  const std::size_t columns = piece.columns();
  const double cells = slope.cells / piece.rows();
  const double least =
      kDamping * sum_of(piece.curvature) / static_cast<double>(columns) + piece.least_curvature;
  std::vector<double> gain(columns), keep(columns), squares(columns);
  for (std::size_t p = 0; p < columns; ++p) {
    const double known = cells * (piece.curvature[p] + least);
    gain[p] = rate / known;
    // The ridge for parameters of the variance that they started with, if their error is the average noise of
    // all steps.
    const double noise_ridge =
        kNoiseRidge * slope.deviation * slope.deviation / (slope.steps * known * start_square_);
    keep[p] = 1 / (1 + gain[p] * (ridge + noise_ridge));
    const double forget = 1 - kFollowed * cells * piece.curvature[p] * gain[p];
    piece.noise[p] =
        keep[p] * keep[p] *
        (forget * forget * piece.noise[p] + gain[p] * gain[p] * slope.deviation * slope.deviation);
  }
  double moved = 0;
  const double* sum = slope.sum.data() + piece.start;
  double* numbers = numbers_.data() + piece.start;
  for (const double* const end = sum + piece.size; sum != end; sum += columns, numbers += columns)
    for (std::size_t p = 0; p < columns; ++p) {
      const double after = keep[p] * (numbers[p] + gain[p] * sum[p]), change = after - numbers[p];
      moved += change * change;
      squares[p] += after * after;
      numbers[p] = after;
    }
  for (double& square : squares) square /= piece.rows();
  piece.squares = std::move(squares);
  return moved;
}

void Descent::multiply(Piece& piece, const std::vector<double>& by) {
  const std::size_t columns = piece.columns();
  double* numbers = numbers_.data() + piece.start;
  for (const double* const end = numbers + piece.size; numbers != end; numbers += columns)
    for (std::size_t p = 0; p < columns; ++p) numbers[p] *= by[p];
  for (std::size_t p = 0; p < columns; ++p) {
    piece.squares[p] *= by[p] * by[p];
    piece.noise[p] *= by[p] * by[p];
  }
}

// A model stays the same when a column is multiplied by a number and the same column of another mode, or the
// core, divided by it. The noise is the same for all numbers: it does least harm where none is large only
// because another one is small.
//
// CP: the columns of a component get the same root mean square in all modes.
void Descent::balance_cp() {
  std::vector<double> common(layout_.columns(0));
  for (const Piece& piece : pieces_)
    if (piece.moves)
      for (std::size_t r = 0; r < common.size(); ++r)
        common[r] += std::log(std::max(piece.squares[r], kTiny)) / moving_pieces();
  for (Piece& piece : pieces_) {
    if (!piece.moves) continue;
    std::vector<double> by(common.size());
    for (std::size_t r = 0; r < by.size(); ++r)
      by[r] = std::sqrt(std::exp(common[r]) / std::max(piece.squares[r], kTiny));
    multiply(piece, by);
  }
}

// Tucker: all columns of all factors get one mean square s, that for which the curvatures of a factor and of
// the core add up to the same. With f the number of factors, c that of the core's numbers and v the variance
// of predictions, these are v / s and c s^f.
void Descent::balance_tucker() {
  const std::size_t numbers = layout_.core_size();
  const double factors = moving_pieces() - 1;
  std::vector<double> by(numbers, 1.0);
  std::size_t stride = numbers;
  for (int mode = 0; mode < layout_.order(); ++mode) {
    const std::size_t columns = layout_.columns(mode);
    stride /= columns;
    if (!pieces_[mode].moves) continue;
    for (std::size_t i = 0; i < numbers; ++i)
      by[i] *= std::sqrt(std::max(pieces_[mode].squares[i / stride % columns], kTiny));
  }
  Piece& core = pieces_.back();
  double variance = 0;
  for (std::size_t i = 0; i < numbers; ++i) variance += core.squares[i] * by[i] * by[i];
  const double square = std::pow(std::max(variance, kTiny) / static_cast<double>(numbers), 1 / (factors + 1));
  for (double& number : by) number /= std::pow(square, factors / 2);
  multiply(core, by);
  for (int mode = 0; mode < layout_.order(); ++mode) {
    if (!pieces_[mode].moves) continue;
    std::vector<double> to(layout_.columns(mode));
    for (std::size_t p = 0; p < to.size(); ++p)
      to[p] = std::sqrt(square / std::max(pieces_[mode].squares[p], kTiny));
    multiply(pieces_[mode], to);
  }
}

// Were rows independent, the derivatives of the model with every number squared. For CP, of column r of mode
// m: prod_{k != m} mean_j A_k[j, r]^2.
void Descent::measure_curvature() {
  CellGradient squared(layout_);
  if (user_mode_) std::ranges::fill(pieces_[*user_mode_].squares, 1.0);
  CellGradient::Rows rows;
  for (int mode = 0; mode < layout_.order(); ++mode) rows[mode] = pieces_[mode].squares.data();
  const double* const core = layout_.has_core() ? pieces_.back().squares.data() : nullptr;
  squared.at(rows, core);
  if (user_mode_) {  // whose rows are not known: they explain the expected variance, each column a part
    std::vector<double>& own = pieces_[*user_mode_].squares;
    for (std::size_t p = 0; p < own.size(); ++p)
      own[p] =
          kExpectedSignal / (static_cast<double>(own.size()) * std::max(squared.row(*user_mode_)[p], kTiny));
    squared.at(rows, core);
  }
  for (int mode = 0; mode < layout_.order(); ++mode)
    std::ranges::copy(squared.row(mode), pieces_[mode].curvature.begin());
  if (layout_.has_core()) std::ranges::copy(squared.core(), pieces_.back().curvature.begin());
}

std::vector<double> Descent::shrunk() const {
  std::vector<double> numbers = numbers_;
  for (int mode = 0; mode < layout_.order(); ++mode) {
    const Piece& piece = pieces_[mode];
    if (!piece.moves) continue;
    for (std::size_t i = 0; i < piece.size; ++i) {
      const std::size_t p = i % piece.columns();
      numbers[piece.start + i] *= std::max(0.0, 1 - piece.noise[p] / std::max(piece.squares[p], kTiny));
    }
  }
  return numbers;
}

}  // namespace tulle
