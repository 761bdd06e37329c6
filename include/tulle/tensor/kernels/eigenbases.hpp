// Eigenbases of small symmetric matrices, each as a product of reflections and rotations, which vectors are
// turned by: for f(A) v the eigenvectors themselves are not needed, and to find them takes most of the time
// of a decomposition. Several matrices are decomposed at once, one in each lane: every rotation
// waits for the one before, and so they wait together.
#pragma once

#include <tulle/base/lanes.hpp>

#include <cstddef>
#include <span>
#include <vector>

namespace tulle {

class Eigenbases {
 public:
  static constexpr int kCount = kTileLane;  // matrices, and vectors, at once

  explicit Eigenbases(int size);

  int size() const { return size_; }

  // An element of the next matrices, both of whose halves are written. They are not kept.
  double& element(int which, int row, int column) {
    return doubles(matrices_)[place(which, at(row, column))];
  }
  // Decomposes what was written.
  void decompose();

  // Of the matrices that were decomposed last: the eigenvalues, in no order.
  double value(int which, int k) const { return doubles(diagonals_)[place(which, k)]; }

  // A vector for each matrix.
  double& coordinate(int which, int k) { return doubles(vectors_)[place(which, k)]; }
  void turn();       // into the eigenbases
  void turn_back();  // out of them

 private:
  struct Rotation {
    int place;  // turns the coordinates place, place + 1
    TileLane cosine, sine;
  };
  using Lanes = std::vector<TileLane>;
  struct Blocks;

  static std::size_t place(int which, int index) { return static_cast<std::size_t>(index * kCount + which); }
  static double* doubles(Lanes& lanes) { return reinterpret_cast<double*>(lanes.data()); }
  static const double* doubles(const Lanes& lanes) { return reinterpret_cast<const double*>(lanes.data()); }
  int at(int row, int column) const { return row * size_ + column; }

  void scale_down();
  void tridiagonalise();
  void reflect(int column);
  void diagonalise();
  bool vanishes(int which, int i) const;
  bool find_blocks(Blocks& blocks) const;
  void shifted_step(const Blocks& blocks);
  void apply_reflection(int column);

  int size_;
  Lanes matrices_;  // then, in row k behind the diagonal, the vector v of the k-th reflection
  Lanes betas_;     // which is I - beta v v^T
  Lanes diagonals_, beside_;
  Lanes products_;  // of the matrices with v
  Lanes vectors_;
  TileLane scales_;
  std::vector<Rotation> rotations_;
};

}  // namespace tulle
