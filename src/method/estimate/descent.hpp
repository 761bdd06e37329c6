// Gradient steps on a model: all of it is public once the gradients are released.
#pragma once

#include <tulle/tensor/kernels/cell_gradient.hpp>

#include <optional>
#include <span>
#include <vector>

namespace tulle {

// Variances of standardised values that a model is expected to explain, and to leave unexplained.
inline constexpr double kExpectedSignal = 0.1;
inline constexpr double kExpectedNoise = 0.15;

class Descent {
 public:
  // Starts at random numbers whose predictions have the expected variance. With a user mode, the rows of that
  // mode are zeros and stay so: each user has her own.
  Descent(const ModelLayout& layout, std::optional<int> user_mode, std::uint64_t seed);

  const std::vector<double>& numbers() const { return numbers_; }

  // Root mean square, over all cells, of the length of the gradient of a cell's prediction: with respect to
  // the numbers that move, and as if rows were independent of each other.
  double gradient_length() const;

  // The ridge for users' own rows under which they explain the expected variance.
  double user_ridge() const;

  // A sum of gradients, one number for each of the model's.
  struct Slope {
    std::span<const double> sum;
    double deviation;  // of the noise on each
    double cells;      // about the number of cells in the sum
    double steps;      // of which this is one
  };

  // Moves along the slope. The sum of a row is that of cells / size of the mode cells, each of which bends
  // the loss of a number by its curvature; were all numbers independent, rate 1 would go to the minimum.
  // Returns how far it went, relative to the length of the numbers.
  double step(const Slope& slope, double rate, double ridge);

  // The parameters, each column shrunk by the share of noise in its mean square (Wiener): a column of noise
  // alone becomes zero.
  std::vector<double> shrunk() const;

 private:
  // A factor or the core, whose every number is a column of its own.
  struct Piece {
    std::size_t start, size;
    bool moves;
    std::vector<double> squares;    // of each column: mean square
    std::vector<double> curvature;  // mean second derivative of a cell's loss
    std::vector<double> noise;      // variance of the noise in its numbers
    double least_curvature = 0;     // lower bound in steps, however small the parameters have become

    std::size_t columns() const { return squares.size(); }
    double rows() const { return static_cast<double>(size) / static_cast<double>(columns()); }
  };

  void add_piece(std::size_t start, std::size_t size, std::size_t columns, bool moves);
  double moving_pieces() const;
  double move(Piece& piece, const Slope& slope, double rate, double ridge);
  void multiply(Piece& piece, const std::vector<double>& by);
  void balance_cp();
  void balance_tucker();
  void measure_curvature();

  ModelLayout layout_;
  std::optional<int> user_mode_;
  double start_square_;  // mean square of the numbers at the start
  double least_length_ = 0;
  std::vector<double> numbers_;
  std::vector<Piece> pieces_;  // one per mode, then the core
};

}  // namespace tulle
