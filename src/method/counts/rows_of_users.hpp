// Logs with a mode of users: which rows of each user count.
#pragma once

#include <tulle/data/name_hashes.hpp>
#include <tulle/method/counts.hpp>

#include <string>
#include <vector>

namespace tulle {

// A UsageError where a tensor has no such mode, or too few others.
Shape shape_without_users(const Shape& shape, int user_mode);

std::vector<MethodSetting> settings_of_rows();
RowLimits row_limits(const Settings& settings);  // where they do not say, as many as a cell counts
std::string rows_fact(const RowLimits& rows);    // how the guarantee says it

// Of the rows of a user in one cell at most `rows.per_cell` count. Of those of all cells `rows.per_user` are
// drawn, each as likely as the others, if there are more: by hashes of the user's own names and a key, so
// that they follow from her own rows, whatever other users there are. Without `names`, positions stand for
// them.
SparseTensor rows_that_count(const SparseTensor& events, int user_mode, const RowLimits& rows,
                             const NameHashes* names);
// How many rows each user has, of which `per_cell` in one cell count at most.
std::vector<std::uint64_t> rows_by_user(const SparseTensor& events, int user_mode, std::uint64_t per_cell);
// A cell is listed once for each user who has rows there.
SparseTensor without_users(const SparseTensor& events, int user_mode);

}  // namespace tulle
