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
  std::string crop;                       // TRAIN and TEST to these sizes
  std::string clamp;                      // their values to this range
  std::vector<std::string> public_modes;  // MODE=FILE or MODE: positions that are public under add-remove
  std::string unknown = "drop";           // entries at other positions: drop or refuse

  void declare_public(Verb& verb);
  void check() const;
};

// What of the data is private.
struct DataPrivacy {
  bool values = false;
  bool positions = false;  // which cells are observed (add-remove)
  std::string user_mode;   // then, for unit user: the mode of which even the size and the labels are
};

struct Parts {
  std::vector<Mode> modes;
  std::vector<Mode> public_modes;         // what may be saved and printed of them
  std::vector<std::string> public_facts;  // what the guarantee takes as public about them
  std::variant<DenseTensor, SparseTensor> train;
  std::optional<SparseTensor> test, validation;
  std::size_t dropped = 0;      // entries at positions that are not public; private
  std::size_t merged_rows = 0;  // rows beyond the first of their cell; private
};

Parts read_parts(const PartsOptions& options, const DataPrivacy& privacy, std::uint64_t seed);

}  // namespace tulle::cli
