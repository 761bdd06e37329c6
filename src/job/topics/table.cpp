#include "table.hpp"

#include <tulle/base/error.hpp>

namespace tulle {

DenseTensor read_table(const std::string& path, const ReadOptions& options) {
  Dataset data = read(path, options);
  auto* table = std::get_if<DenseTensor>(&data.tensor);
  if (!table || table->order() > 3) fail("{}: expected a table of numbers (.npy, .npz or .mat)", path);
  return std::move(*table);
}

Matrix rows_of(const DenseTensor& table) {
  const Index columns = table.shape()[table.order() - 1];
  return Eigen::Map<const Matrix>(table.values().data(), static_cast<Eigen::Index>(table.size() / columns),
                                  columns);
}

}  // namespace tulle
