// The job of `tulle count`: how many events there are in every cell of a tensor, from tables with noise.
#pragma once

#include <tulle/data/noisy_margins.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/model/counts.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

class NameHashes;

// More events of one cell than this count as so many: float32, in which tensors are read, has every whole
// number up to here.
inline constexpr double kMostEvents = 0x1p24;

// The most rows of a user that count, in all and in one cell. A row that is several events is as many rows.
struct RowLimits {
  std::uint64_t per_user = 0, per_cell = 0;
};

// What a method sees: public facts, and the events, protected. A cell that is not listed has none. An event
// changes the count of one cell by 1: it is there or not (add-remove), or in another cell (replace). A user
// changes the counts of all cells by at most `rows.per_user` in all, and each by at most `rows.per_cell`.
struct CountRequest {
  Shape shape;
  Relation relation;
  Budget budget;
  Protected<SparseTensor> events;      // of users: those that count
  std::optional<RowLimits> rows = {};  // unit user
  // Rows of users, or keys, were chosen first: tables were planned with that, and `budget` is theirs, a pure
  // epsilon in parts.
  bool planned = false;
};

// Positions of a mode that were chosen at a cost, ascending; none: the shape has one that stands for none.
struct ChosenKeys {
  int mode;
  std::vector<Index> positions;
};

struct CountOutcome {
  Counts model;
  Guarantee guarantee = {};
  std::vector<std::string> remarks = {};  // from public facts or releases alone
  std::shared_ptr<const Measurement> measured = {};
  std::vector<ChosenKeys> keys = {};   // of the modes that were asked for, in the order of the modes
  std::optional<RowLimits> rows = {};  // unit user: how many of a user count, stated or chosen
};

// How events are counted, beside the terms.
struct CountSettings {
  Settings settings = {};
  // Of the modes of the data, the users among them: they draw which rows of a user count. None: positions
  // stand for names.
  std::shared_ptr<const NameHashes> names = {};
  // Modes of the tensor whose positions are private: those that enough units are at are chosen, and the
  // outcome is over these. The order of positions must be one that no unit changes.
  std::vector<int> private_keys = {};
};

// All checks come before anything is released; then `pay`, if there is one, is asked to charge a ledger. An
// Error for values that are no numbers of events, and for more cells than the method takes. Of unit user, one
// mode of the tensor is the users (Terms::user_mode), who are not counted by.
inline constexpr std::size_t kMostCells = std::size_t{1} << 26;
// A method that releases what stands out of them alone: a double has every place.
inline constexpr double kMostSparseCells = 0x1p53;
CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms,
                          const CountSettings& how, std::function<void(const Curator&)> pay = {});
// The same with a curator that open_curator() made for these terms, as an auditor does.
CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms,
                          const CountSettings& how, Curator& curator);

// What count_events() would have made of the same releases. It costs nothing, and has the guarantee of the
// releases.
CountOutcome refit_counts(const Measurement& measured);

// The tables of counts as they were released, and counts of all cells from such tables, whoever released
// them: what margins that share modes say is combined.
std::vector<NoisyMargin> released_margins(const Measurement& measured);
Counts counts_of_margins(const Shape& shape, const std::vector<NoisyMargin>& margins);

}  // namespace tulle

#pragma GCC visibility pop
