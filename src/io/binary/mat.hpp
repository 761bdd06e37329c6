// The common interface of the readers of MATLAB files: version 5 (and 6, 7), and 7.3, which is HDF5.
#pragma once

#include "binary/element.hpp"

#include <tulle/tensor/shape.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tulle {

struct MatVariable {
  enum class Kind { numbers, sparse, other };

  std::string name;
  Kind kind = Kind::other;
  std::string type;                       // of another kind: "complex", "struct", "cell", "char", ..
  std::vector<std::uint64_t> dimensions;  // of numbers and sparse

  std::uint64_t cells(
      const std::string& path) const;  // throws an Error that names the file if there are too many
};

struct MatSparse {
  std::vector<Index> rows;
  std::vector<Index> columns;
  std::vector<float> values;
};

class MatFile {
 public:
  virtual ~MatFile() = default;
  virtual const std::vector<MatVariable>& variables() const = 0;
  virtual void read_numbers(std::size_t variable, const TakeNumbers& take) const = 0;  // in Fortran order
  virtual MatSparse read_sparse(std::size_t variable) const = 0;
};

std::unique_ptr<MatFile> open_mat5(const std::string& path);
std::unique_ptr<MatFile> open_mat73(const std::string& path);

}  // namespace tulle
