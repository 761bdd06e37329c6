// The job of `tulle count`: how many events there are in every cell of a tensor, from tables with noise.
#pragma once

#include <tulle/method/private_completion.hpp>
#include <tulle/model/counts.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// More events of one cell than this count as so many: float32, in which tensors are read, has every whole
// number up to here.
inline constexpr double kMostEvents = 0x1p24;

// What a method sees: public facts, and the events, protected. A cell that is not listed has none. An event
// changes the count of one cell by 1: it is there or not (add-remove), or in another cell (replace).
struct CountRequest {
  Shape shape;
  Relation relation;
  Budget budget;
  Protected<SparseTensor> events;
};

struct CountOutcome {
  Counts model;
  Guarantee guarantee = {};
  std::vector<std::string> remarks = {};  // from public facts or releases alone
  std::shared_ptr<const Measurement> measured = {};
};

// All checks come before anything is released; then `pay`, if there is one, is asked to charge a ledger. An
// Error for values that are no numbers of events, and for more cells than kMostCells.
inline constexpr std::size_t kMostCells = std::size_t{1} << 26;
CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms,
                          std::function<void(const Curator&)> pay = {});
// The same with a curator that open_curator() made for these terms, as an auditor does.
CountOutcome count_events(const Method& method, SparseTensor events, const Terms& terms, Curator& curator);

// What count_events() would have made of the same releases. It costs nothing, and has the guarantee of the
// releases.
CountOutcome refit_counts(const Measurement& measured);

}  // namespace tulle

#pragma GCC visibility pop
