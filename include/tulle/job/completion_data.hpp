// The data of a completion, divided by their roles, and their public facts.
#pragma once

#include <tulle/data/public_positions.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/lost_data.hpp>
#include <tulle/method/terms.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct Coupling;

// A mode, by its name or its number from 1, whose positions are public under add-remove: those listed in a
// file or, without a file, those found in the data.
struct PublicMode {
  std::string mode, file;
};

// The files to read and how to process them. All of it is public.
struct DataOptions {
  std::string train;  // a file; "-" for standard input
  std::string test;   // a file with cells to measure the error on; "": none
  ReadOptions reading = {};
  std::optional<double> holdout = {}, validation = {};  // fractions of the cells
  std::optional<Shape> crop = {};                       // the first positions of every mode
  std::optional<Range> clamp = {};                      // applied to the values before anything else
  std::vector<PublicMode> public_modes = {};
  OutsidePositions outside = OutsidePositions::drop;  // entries at positions that are not public

  void check() const;  // a UsageError for what can be checked before the data are read
};

// Which parts of the data are private; privacy_of() derives it from a job (job/completion_run.hpp).
struct DataPrivacy {
  bool values = false;
  bool positions = false;  // which cells are observed (add-remove)
  std::string user_mode;   // then, for unit user: the mode whose size and labels are private too
};

struct CompletionData {
  std::vector<Mode> modes;
  std::vector<Mode> public_modes;         // their parts that may be saved and printed
  std::vector<std::string> public_facts;  // facts about them that the guarantee takes as public
  std::variant<DenseTensor, SparseTensor> train;
  std::optional<SparseTensor> test, validation;
  std::size_t dropped = 0;                         // entries at positions that are not public; private
  std::vector<std::string> dropped_examples = {};  // two such positions, with where they are; private
  Duplicates duplicates = Duplicates::refuse;      // how rows of one cell were merged, if they were
  bool repeats_entries = false;                    // an entry of the file sets two cells
  std::size_t merged_rows = 0;                     // rows of the files that repeat a cell; private
  std::vector<std::string> notes = {};             // about how they were read, and further tables; private
  std::vector<LostData> losses = {};               // of such tables; private
  DataPrivacy privacy = {};  // what was kept private while reading: a job may not require more
  // The seed for deciding by names which cells are held out, and which entries of a user count if not all do.
  std::uint64_t seed = 0;
  // For private users: whether the file names them or numbers them by position. A fact about its format.
  bool users_have_names = false;
  std::shared_ptr<const Coupling> coupling = {};  // of several relations in one tensor, or public tables

  std::size_t train_cells() const;
};

CompletionData read_completion_data(const DataOptions& options, const DataPrivacy& privacy,
                                    std::uint64_t seed);
// The same for training data in memory: options.train is not read, but its name determines their format.
CompletionData completion_data_of(Dataset train, const DataOptions& options, const DataPrivacy& privacy,
                                  std::uint64_t seed);

}  // namespace tulle

#pragma GCC visibility pop
