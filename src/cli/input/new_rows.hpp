// Positions that a model has not seen, such as new users: their rows are fitted from their own cells.
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
  // The model with the rows of the file's positions in place of its own ones of that mode. Says on standard
  // error that predictions from them are for the owner. Nothing without a file.
  void apply(const ReadOptions& input, ModelFile& model) const;
};

// Says on standard error where a model holds the rows of single users, or predicts the same for every
// position of a mode.
void note_rows_of_users(const ModelFile& model);

}  // namespace tulle::cli
