#include "rows_of_users.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <optional>
#include <vector>

namespace tulle {
namespace {

// The rows of a user in a cell.
struct UserCell {
  std::uint64_t hash;
  Index user;
  std::uint32_t entry;
};

// Users one after the other, the cells of each in the order of their hashes.
std::vector<UserCell> sorted_cells(const SparseTensor& events, int user_mode, const NameHashes& names) {
  const Cells& cells = events.cells();
  std::vector<UserCell> sorted;
  sorted.reserve(cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry)
    sorted.push_back({names.of(cells, entry), cells(entry, user_mode), static_cast<std::uint32_t>(entry)});
  std::ranges::sort(sorted, [&](const UserCell& one, const UserCell& other) {
    if (one.user != other.user) return one.user < other.user;
    if (one.hash != other.hash) return one.hash < other.hash;
    return cells.cell(one.entry) < cells.cell(other.entry);
  });
  return sorted;
}

// The rows of a user in a cell that may count.
struct Rows {
  std::uint64_t hash, rows;
  std::size_t entry;
};

// A cell may be listed more than once.
std::vector<Rows> rows_by_cell(const SparseTensor& events, std::span<const UserCell> of_user,
                               std::uint64_t per_cell) {
  const Cells& cells = events.cells();
  std::vector<Rows> all;
  for (const auto& [hash, user, entry] : of_user) {
    if (all.empty() || cells.cell(all.back().entry) != cells.cell(entry)) all.push_back({hash, 0, entry});
    const auto rows = static_cast<std::uint64_t>(events.values()[entry]);
    all.back().rows = std::min(all.back().rows + rows, per_cell);
  }
  return all;
}

// Calls visit(rows by cell) for every user. Without `names`, positions stand for them.
template <class Visit>
void for_each_user(const SparseTensor& events, int user_mode, std::uint64_t per_cell, const NameHashes* names,
                   const Visit& visit) {
  std::optional<NameHashes> by_position;
  if (!names)
    names = &by_position.emplace(hashes_for_choice(unnamed_modes(events.order()), events.shape(), 0));
  const std::vector<UserCell> sorted = sorted_cells(events, user_mode, *names);
  for (auto user = sorted.begin(); user != sorted.end();) {
    const auto next =
        std::find_if(user, sorted.end(), [&](const UserCell& c) { return c.user != user->user; });
    visit(rows_by_cell(events, {user, next}, per_cell));
    user = next;
  }
}

std::uint64_t sum_of(const std::vector<Rows>& cells) {
  std::uint64_t all = 0;
  for (const Rows& cell : cells) all += cell.rows;
  return all;
}

class Drawing {
 public:
  Drawing(const SparseTensor& events, const RowLimits& rows)
      : events_(events), rows_(rows), drawn_(events.shape(), Unlisted::zero) {}

  // Systematic sampling: of the rows of a user, laid out cell by cell from a place that is drawn too, the
  // first of each of `per_user` equal parts.
  void take(const std::vector<Rows>& cells) {
    const std::uint64_t all = sum_of(cells);
    if (all <= rows_.per_user) {
      for (const Rows& cell : cells) append(cell.entry, cell.rows);
      return;
    }
    std::uint64_t place = 0;
    for (const Rows& cell : cells) place ^= cell.hash;
    Wide passed = place % all;
    for (const Rows& cell : cells) {
      const Wide before = passed / all;
      passed += Wide{cell.rows} * rows_.per_user;
      append(cell.entry, static_cast<std::uint64_t>(passed / all - before));
    }
  }

  SparseTensor finish() { return std::move(drawn_); }

 private:
  __extension__ using Wide = unsigned __int128;

  void append(std::size_t entry, std::uint64_t rows) {
    if (rows == 0) return;
    const auto cell = events_.cells().cell(entry);
    drawn_.append(std::span(cell).first(static_cast<std::size_t>(drawn_.order())), static_cast<float>(rows));
  }

  const SparseTensor& events_;
  RowLimits rows_;
  SparseTensor drawn_;
};

}  // namespace

Shape shape_without_users(const Shape& shape, int user_mode) {
  if (user_mode < 0 || user_mode >= shape.order())
    fail_usage("mode {} cannot be the users of a {} tensor; give a mode from 1 to {}", user_mode + 1,
               shape.text(), shape.order());
  if (shape.order() <= kMinOrder)
    fail_usage("the data have {} modes, and one is the users; count by {} modes or more", shape.order(),
               kMinOrder);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < shape.order(); ++mode)
    if (mode != user_mode) sizes.push_back(shape[mode]);
  return Shape(sizes);
}

std::vector<MethodSetting> settings_of_rows() {
  const Limits limits{.least = 1, .most = kMostEvents};
  return {for_users(takes(setting::rows_per_user, "chosen by a pilot with 5 % of epsilon", limits)),
          for_users(takes(setting::rows_per_cell, "as rows-per-user", limits))};
}

RowLimits row_limits(const Settings& settings) {
  const auto any = static_cast<int>(kMostEvents);
  const int per_user = settings.get(setting::rows_per_user).value_or(any);
  const int per_cell = std::min(per_user, settings.get(setting::rows_per_cell).value_or(per_user));
  return {static_cast<std::uint64_t>(per_user), static_cast<std::uint64_t>(per_cell)};
}

std::string rows_fact(const RowLimits& rows) {
  return fmt::format("how many rows of a user count ({} at most, {} in one cell)", rows.per_user,
                     rows.per_cell);
}

SparseTensor rows_that_count(const SparseTensor& events, int user_mode, const RowLimits& rows,
                             const NameHashes* names) {
  Drawing drawing(events, rows);
  for_each_user(events, user_mode, rows.per_cell, names,
                [&](const std::vector<Rows>& cells) { drawing.take(cells); });
  return drawing.finish();
}

std::vector<std::uint64_t> rows_by_user(const SparseTensor& events, int user_mode, std::uint64_t per_cell) {
  std::vector<std::uint64_t> rows;
  for_each_user(events, user_mode, per_cell, nullptr,
                [&](const std::vector<Rows>& cells) { rows.push_back(sum_of(cells)); });
  return rows;
}

SparseTensor without_users(const SparseTensor& events, int user_mode) {
  std::vector<std::vector<Index>> columns;
  for (int mode = 0; mode < events.order(); ++mode)
    if (mode != user_mode) columns.emplace_back(events.column(mode).begin(), events.column(mode).end());
  return {Cells(shape_without_users(events.shape(), user_mode), std::move(columns)),
          {events.values().begin(), events.values().end()},
          Unlisted::zero};
}

}  // namespace tulle
