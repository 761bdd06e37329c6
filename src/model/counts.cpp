#include "check.hpp"

#include <tulle/model/counts.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle {
namespace {

// Calls visit(offset) for every cell of a block whose modes from `mode` on are still open.
template <class Visit>
void for_each_cell(const Shape& shape, const Block& block, int mode, std::size_t offset, const Visit& visit) {
  if (mode == shape.order()) return visit(offset);
  const std::vector<Index>& chosen = block[static_cast<std::size_t>(mode)];
  const std::size_t from = offset * shape[mode];
  if (chosen.empty())
    for (Index position = 0; position < shape[mode]; ++position)
      for_each_cell(shape, block, mode + 1, from + position, visit);
  for (const Index position : chosen) for_each_cell(shape, block, mode + 1, from + position, visit);
}

// The modes of a set, with their positions in the block; the sum over these of a table of the set.
double sum_over_table(const Shape& shape, const Block& block, std::size_t set,
                      const std::vector<double>& table) {
  std::vector<std::uint64_t> sizes;
  Block chosen;
  for (int mode = 0; mode < shape.order(); ++mode)
    if ((set >> mode & 1) != 0) {
      sizes.push_back(shape[mode]);
      chosen.push_back(block[static_cast<std::size_t>(mode)]);
    }
  // A shape has two modes at least.
  for (; sizes.size() < 2; chosen.emplace_back()) sizes.push_back(1);
  double sum = 0;
  for_each_cell(Shape(sizes), chosen, 0, 0, [&](std::size_t cell) { sum += table[cell]; });
  return sum;
}

std::size_t cells_of_table(const Shape& shape, std::size_t set) {
  std::size_t cells = 1;
  for (int mode = 0; mode < shape.order(); ++mode)
    if ((set >> mode & 1) != 0) cells *= shape[mode];
  return cells;
}

}  // namespace

std::vector<double> Counts::predict(const Cells& wanted) const {
  check_cells(shape(), wanted);
  std::vector<double> values(wanted.size());
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    const auto positions = wanted.cell(entry);
    const auto cell = std::span(positions).first(static_cast<std::size_t>(wanted.order()));
    values[entry] = sparse ? sparse->at(cell) : cells[cell];
  }
  return values;
}

DenseTensor Counts::reconstruct() const {
  if (sparse)
    fail("a {} tensor has too many cells for an array; ask for sums or for single cells", shape().text());
  return cells;
}

Estimated Counts::sum(const Block& block) const {
  return BlockSums(*this)(block);
}

std::vector<std::vector<double>> sums_by_position(const Counts& counts) {
  if (counts.sparse) return counts.sparse->sums_by_position();
  const Shape shape = counts.shape();
  std::vector<std::vector<double>> all;
  for (int mode = 0; mode < shape.order(); ++mode) {
    std::vector<double>& sums = all.emplace_back(shape[mode]);
    const std::size_t stride = shape.stride(mode);
    for (std::size_t cell = 0; cell < counts.cells.size(); ++cell)
      sums[cell / stride % shape[mode]] += counts.cells.values()[cell];
  }
  return all;
}

BlockSums::BlockSums(const Counts& counts) : counts_(counts), shares_(sums_by_position(counts)) {
  double all = 0;
  for (const double sum : shares_.front()) all += sum;
  for (std::vector<double>& shares : shares_)
    for (double& share : shares) share = all > 0 ? share / all : 1 / static_cast<double>(shares.size());
  if (counts.sparse) kept_ = KeptCells(*counts.sparse);
}

double BlockSums::share(std::size_t mode, const std::vector<Index>& positions) const {
  if (positions.empty()) return 1;
  double share = 0;
  for (const Index position : positions) share += shares_[mode][position];
  return std::min(share, 1.0);
}

Estimated BlockSums::operator()(const Block& block) const {
  const Shape shape = counts_.shape();
  check_block(shape, block);
  if (counts_.sparse) {
    std::vector<double> shares;
    for (std::size_t mode = 0; mode < block.size(); ++mode) shares.push_back(share(mode, block[mode]));
    return counts_.sparse->sum(block, shares, kept_);
  }
  double mean = 0;
  for_each_cell(shape, block, 0, 0, [&](std::size_t cell) { mean += counts_.cells.values()[cell]; });
  double variance = 0;
  for (std::size_t set = 0; set < counts_.variances.size(); ++set) {
    double part = 1;
    for (std::size_t mode = 0; mode < block.size(); ++mode) {
      const double events = share(mode, block[mode]);
      part *= (set >> mode & 1) != 0 ? 1 - events : events * events;
    }
    if (part > 0) variance += part * sum_over_table(shape, block, set, counts_.variances[set]);
  }
  return {mean, std::sqrt(variance)};
}

void check(const Counts& model) {
  if (model.sparse) return check(*model.sparse);
  const auto negative = [](double number) { return !(number >= 0); };
  if (std::ranges::any_of(model.cells.values(), negative)) fail("counts: a cell is below 0");
  if (model.variances.size() != std::size_t{1} << model.cells.order())
    fail("counts: variances of {} sets of {} modes", model.variances.size(), model.cells.order());
  for (std::size_t set = 0; set < model.variances.size(); ++set) {
    if (model.variances[set].size() != cells_of_table(model.cells.shape(), set))
      fail("counts: {} variances of a table of {} cells", model.variances[set].size(),
           cells_of_table(model.cells.shape(), set));
    if (std::ranges::any_of(model.variances[set], negative)) fail("counts: a variance is below 0");
  }
}

}  // namespace tulle
