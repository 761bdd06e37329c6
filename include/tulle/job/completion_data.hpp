// The data of a completion, in the parts that play different roles, and what is public of them.
#pragma once

#include <tulle/data/public_positions.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/lost_data.hpp>
#include <tulle/method/terms.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// A mode, by its name or its number from 1, whose positions are public under add-remove: those that a file
// lists, or without a file those that the data have.
struct PublicMode {
  std::string mode, file;
};

// What is read, and what is made of it. All of it is public.
struct DataOptions {
  std::string train;  // a file; "-" for standard input
  std::string test;   // a file with cells to measure the error on; "": none
  ReadOptions reading = {};
  std::optional<double> holdout = {}, validation = {};  // fractions of the cells
  std::optional<Shape> crop = {};                       // the first positions of every mode
  std::optional<Range> clamp = {};                      // of the values, before anything else
  std::vector<PublicMode> public_modes = {};
  OutsidePositions outside = OutsidePositions::drop;  // entries at positions that are not public

  void check() const;  // what can be checked before the data are read: a UsageError
};

// What of the data is private: privacy_of() says it of a job (job/completion_run.hpp).
struct DataPrivacy {
  bool values = false;
  bool positions = false;  // which cells are observed (add-remove)
  std::string user_mode;   // then, for unit user: the mode of which even the size and the labels are
};

struct CompletionData {
  std::vector<Mode> modes;
  std::vector<Mode> public_modes;         // what may be saved and printed of them
  std::vector<std::string> public_facts;  // what the guarantee takes as public about them
  std::variant<DenseTensor, SparseTensor> train;
  std::optional<SparseTensor> test, validation;
  std::size_t dropped = 0;                     // entries at positions that are not public; private
  Duplicates duplicates = Duplicates::refuse;  // how rows of one cell were merged, if they were
  bool repeats_entries = false;                // an entry of the file stands for two cells
  std::size_t merged_rows = 0;                 // rows of the files that list a cell again; private
  std::vector<std::string> notes = {};         // on further tables that are a part of the data; private
  std::vector<LostData> losses = {};           // of such tables; private
  DataPrivacy privacy = {};  // what was kept private where they were read: a job needs no less
  // By which names decide what is held out, and which entries of a user count where not all do.
  std::uint64_t seed = 0;
  // Of users who come and go: whether the file names them, or numbers them by position. A fact of its format.
  bool users_have_names = false;

  std::size_t train_cells() const;
};

CompletionData read_completion_data(const DataOptions& options, const DataPrivacy& privacy,
                                    std::uint64_t seed);
// The same of training data that are here: options.train is not read, but says by its name what they were.
CompletionData completion_data_of(Dataset train, const DataOptions& options, const DataPrivacy& privacy,
                                  std::uint64_t seed);

}  // namespace tulle

#pragma GCC visibility pop
