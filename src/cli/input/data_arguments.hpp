// The data of a completion, as arguments of a verb.
#pragma once

#include "options.hpp"

#include <tulle/job/completion_data.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle::cli {

struct DataArguments {
  std::string train, test;
  InputOptions input;
  std::optional<double> holdout, validation;
  std::string crop;                       // TRAIN and TEST to these sizes
  std::string clamp;                      // their values to this range
  std::vector<std::string> public_modes;  // MODE=FILE or MODE: positions that are public under add-remove
  std::string unknown = "drop";           // entries at other positions: drop or refuse

  void declare_public(Verb& verb);
  DataOptions chosen() const;
};

}  // namespace tulle::cli
