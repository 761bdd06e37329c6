// The data of a completion, in the parts that play different roles.
#pragma once

#include "options.hpp"

#include <tulle/tensor/dataset.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tulle::cli {

struct PartsOptions {
  std::string train, test;
  InputOptions input;
  std::optional<double> holdout, validation;
  std::string crop;   // TRAIN and TEST to these sizes
  std::string clamp;  // their values to this range

  void check() const;
};

struct Parts {
  std::vector<Mode> modes;
  std::variant<DenseTensor, SparseTensor> train;
  std::optional<SparseTensor> test, validation;
};

Parts read_parts(const PartsOptions& options, std::uint64_t seed);

}  // namespace tulle::cli
