// Files of numbers whose rows are vectors, or topics.
#pragma once

#include <tulle/io/read.hpp>
#include <tulle/tensor/matrix.hpp>

#include <string>

namespace tulle {

// Row x column, or site x row x column.
DenseTensor read_table(const std::string& path, const ReadOptions& options);
// All rows, of all sites.
Matrix rows_of(const DenseTensor& table);

}  // namespace tulle
