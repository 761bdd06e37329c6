// Eigenbases of small symmetric matrices, each as a product of reflections and rotations, which vectors are
// turned by: for f(A) v the eigenvectors themselves are not needed, and to find them takes most of the time
// of a decomposition. Several matrices are decomposed at once, one in each lane of some parts: every rotation
// is a long chain of operations that waits for the one before, and so they wait together.
#pragma once

#include <tulle/base/lanes.hpp>

#include <cstddef>
#include <vector>

namespace tulle {

class Eigenbases {
 public:
  static constexpr int kParts = 8 / kTileLane;
  static constexpr int kCount = kParts * kTileLane;  // matrices, and vectors, at once

  explicit Eigenbases(int size);

  int size() const { return size_; }

  // An element of the next matrices, both of whose halves are written. They are not kept.
  double& element(int which, int row, int column) {
    return number(part_of(which).matrices, which, row * size_ + column);
  }
  // Decomposes what was written.
  void decompose();

  // Of the matrices that were decomposed last: the eigenvalues, in no order.
  double value(int which, int k) const { return number(part_of(which).diagonals, which, k); }

  // A vector for each matrix.
  double& coordinate(int which, int k) { return number(part_of(which).vectors, which, k); }
  void turn();       // into the eigenbases
  void turn_back();  // out of them

 private:
  using Lanes = std::vector<TileLane>;
  struct Rotation {
    int place;  // turns the coordinates place, place + 1
    TileLane cosine[kParts], sine[kParts];
  };

  // What one lane each of kTileLane matrices holds.
  struct Part {
    explicit Part(int size);

    void scale_down();
    void tridiagonalise();
    void reflect(int column);
    void apply_reflection(int column);

    int at(int row, int column) const { return row * size + column; }

    int size;
    Lanes matrices;  // then, in row k behind the diagonal, the vector v of the k-th reflection
    Lanes betas;     // which is I - beta v v^T
    Lanes diagonals, beside;
    Lanes products;  // of the matrices with v
    Lanes vectors;
    TileLane scales = {};
  };
  struct Step;

  void diagonalise();

  Part& part_of(int which) { return parts_[static_cast<std::size_t>(which / kTileLane)]; }
  const Part& part_of(int which) const { return parts_[static_cast<std::size_t>(which / kTileLane)]; }
  static double& number(Lanes& lanes, int which, int index) {
    return reinterpret_cast<double*>(lanes.data())[index * kTileLane + which % kTileLane];
  }
  static double number(const Lanes& lanes, int which, int index) {
    return lanes[static_cast<std::size_t>(index)][which % kTileLane];
  }

  int size_;
  std::vector<Part> parts_;
  std::vector<Rotation> rotations_;
};

}  // namespace tulle
