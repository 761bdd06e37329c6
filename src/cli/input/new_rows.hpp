// Positions that a model has not seen, such as new users, whose rows are fitted from their own cells.
#pragma once

#include "parser/verb.hpp"

#include <tulle/io/model_file.hpp>
#include <tulle/io/read.hpp>

#include <optional>
#include <string>

namespace tulle::cli {

struct NewRowsOptions {
  std::string file, mode = "1";
  std::optional<double> ridge;

  void declare(Verb& verb);
  // Refits or appends the rows of the file's positions in the chosen mode. Prints on standard error that
  // predictions from them are for the owner. Does nothing without a file.
  void apply(const ReadOptions& input, ModelFile& model) const;
};

// Prints notes on standard error if a model is for the owner of the data, or predicts the same for every
// position of a mode.
void note_rows_of_users(const ModelFile& model);

}  // namespace tulle::cli
