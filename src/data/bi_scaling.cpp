#include <tulle/base/error.hpp>
#include <tulle/data/bi_scaling.hpp>
#include <tulle/tensor/group_entries.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr double kLeastSpread = 1e-3;
constexpr double kLargestScale = 1e3;
constexpr std::size_t kLinesAtATime = 64;

// The number of `key` among ascending keys, or keys.size() if it is not one of them.
std::size_t find(const std::vector<std::uint64_t>& keys, std::uint64_t key) {
  const auto place = std::lower_bound(keys.begin(), keys.end(), key);
  return place != keys.end() && *place == key ? place - keys.begin() : keys.size();
}

// Lists the distinct keys of the entries, ascending, and returns the number of each entry's key in that list.
template <class KeyOf>
std::vector<std::size_t> number_distinct(std::size_t entries, KeyOf key_of,
                                         std::vector<std::uint64_t>& keys) {
  keys.resize(entries);
  for (std::size_t entry = 0; entry < entries; ++entry) keys[entry] = key_of(entry);
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  keys.shrink_to_fit();
  std::vector<std::size_t> numbers(entries);
#pragma omp parallel for schedule(static)
  for (std::size_t entry = 0; entry < entries; ++entry) numbers[entry] = find(keys, key_of(entry));
  return numbers;
}

struct Moments {
  double mean;
  double variance;
};

template <class ValueOf>
Moments moments(std::span<const std::size_t> entries, ValueOf value_of) {
  const auto count = static_cast<double>(entries.size());
  double sum = 0, squares = 0;
  for (std::size_t entry : entries) sum += value_of(entry);
  const double mean = sum / count;
  for (std::size_t entry : entries) squares += (value_of(entry) - mean) * (value_of(entry) - mean);
  return {mean, squares / count};
}

}  // namespace

// For each group number, its entries in order.
struct BiScaling::Groups {
  std::vector<std::size_t> starts;
  std::vector<std::size_t> entries;

  Groups(std::span<const std::size_t> group_of, std::size_t groups) : entries(group_of.size()) {
    starts = group_entries(
        group_of.size(), groups, [&](std::size_t entry) { return group_of[entry]; },
        [&](std::size_t entry, std::size_t place) { entries[place] = entry; });
  }

  std::size_t size() const { return starts.size() - 1; }
  std::span<const std::size_t> operator[](std::size_t group) const {
    return std::span(entries).subspan(starts[group], starts[group + 1] - starts[group]);
  }
};

// One side of the alternation: the updates of Hastie et al. 2015, section 7, for rows with the columns fixed,
// and vice versa. Each line depends only on the fixed side, so lines are updated in parallel.
class BiScaling::Sweeper {
 public:
  Sweeper(Lines& lines, std::vector<std::size_t> line_of)
      : lines_(lines),
        line_of_(std::move(line_of)),
        groups_(line_of_, lines.keys.size()),
        settled_(groups_.size()) {
    lines_.centers.assign(groups_.size(), 0);
    lines_.scales.assign(groups_.size(), 1);
  }

  double center(std::size_t entry) const { return lines_.centers[line_of_[entry]]; }
  double scale(std::size_t entry) const { return lines_.scales[line_of_[entry]]; }

  void update(std::span<const double> values, const Sweeper& held) {
#pragma omp parallel for schedule(dynamic, kLinesAtATime) if (groups_.size() > kLinesAtATime)
    for (std::size_t line = 0; line < groups_.size(); ++line)
      if (groups_[line].size() > 1) update(line, values, held);
  }

  // The largest deviation of a mean from 0 or of a variance from 1.
  double worst(std::span<const double> values, const Sweeper& held) const {
    double result = 0;
#pragma omp parallel for schedule(dynamic, kLinesAtATime) if (groups_.size() > kLinesAtATime) \
    reduction(max                                                                             \
              : result)
    for (std::size_t line = 0; line < groups_.size(); ++line) {
      if (groups_[line].size() < 2) continue;
      const Moments z = moments(groups_[line], [&](std::size_t e) {
        return (values[e] - lines_.centers[line] - held.center(e)) / (lines_.scales[line] * held.scale(e));
      });
      result = std::max(result, std::abs(z.mean));
      if (!settled_[line]) result = std::max(result, std::abs(z.variance - 1));
    }
    return result;
  }

 private:
  void update(std::size_t line, std::span<const double> values, const Sweeper& held) {
    double weights = 0, weighted = 0, squares = 0;
    for (std::size_t entry : groups_[line]) {
      weights += 1 / held.scale(entry);
      weighted += (values[entry] - held.center(entry)) / held.scale(entry);
    }
    const double center = weighted / weights;
    for (std::size_t entry : groups_[line]) {
      const double left = (values[entry] - center - held.center(entry)) / held.scale(entry);
      squares += left * left;
    }
    const double spread = std::sqrt(squares / static_cast<double>(groups_[line].size()));
    lines_.centers[line] = center;
    // A settled line stays settled: a scale that comes and goes would keep the other lines from converging.
    if (spread < kLeastSpread) settled_[line] = true;
    lines_.scales[line] = settled_[line] ? 1 : std::min(spread, kLargestScale);
  }

  Lines& lines_;
  std::vector<std::size_t> line_of_;
  Groups groups_;
  std::vector<char> settled_;  // lines without spread
};

BiScaling::BiScaling(const Shape& shape, const Options& options)
    : shape_(shape), rows_{options.rows, {}, {}, {}}, columns_{options.columns, {}, {}, {}} {
  for (int mode : {options.rows, options.columns})
    if (mode < 0 || mode >= shape.order())
      fail_usage("mode {} of a {} tensor: modes run from 1 to {}", mode + 1, shape.text(), shape.order());
  if (options.rows == options.columns)
    fail_usage("rows and columns are both mode {}; name two modes", options.rows + 1);
  if (options.max_sweeps < 1) fail_usage("{} sweeps: give 1 or more", options.max_sweeps);
  shape.cells();  // throws unless cells, and with them matrices and lines, can be numbered
}

std::uint64_t BiScaling::matrix_key(const Cells& cells, std::size_t entry) const {
  std::uint64_t key = 0;
  for (int mode = 0; mode < shape_.order(); ++mode)
    if (mode != rows_.mode && mode != columns_.mode) key = key * shape_[mode] + cells(entry, mode);
  return key;
}

std::uint64_t BiScaling::line_key(const Lines& lines, std::size_t matrix, Index position) const {
  return std::uint64_t{matrix} * shape_[lines.mode] + position;
}

BiScaling BiScaling::fit(const SparseTensor& data, const Options& options) {
  if (data.size() == 0) fail("bi-scaling needs at least one entry");
  if (data.unlisted() == Unlisted::zero)
    fail(
        "bi-scaling is over the listed entries, but here unlisted cells are zeros; read the tensor with "
        "missing semantics");
  BiScaling result(data.shape(), options);
  const std::vector<std::size_t> matrix_of = number_distinct(
      data.size(), [&](std::size_t entry) { return result.matrix_key(data.cells(), entry); },
      result.matrices_);
  const std::vector<double> values = result.level(data.values(), matrix_of);

  const auto sweeper = [&](Lines& lines) {
    const auto key = [&](std::size_t entry) {
      return result.line_key(lines, matrix_of[entry], data.cells()(entry, lines.mode));
    };
    return Sweeper(lines, number_distinct(data.size(), key, lines.keys));
  };
  Sweeper rows = sweeper(result.rows_), columns = sweeper(result.columns_);
  do {
    rows.update(values, columns);
    columns.update(values, rows);
    result.deviation_left_ = rows.worst(values, columns);
    ++result.sweeps_;
  } while (result.deviation_left_ > options.tolerance && result.sweeps_ < options.max_sweeps);
  return result;
}

// Computes mean and standard deviation of each matrix and of all entries; returns the entries standardised by
// those of their matrix.
std::vector<double> BiScaling::level(std::span<const float> values, std::span<const std::size_t> matrix_of) {
  const auto level_of = [&](std::span<const std::size_t> entries) {
    const Moments x = moments(entries, [&](std::size_t entry) { return double{values[entry]}; });
    return Level{x.mean, x.variance > 0 ? std::sqrt(x.variance) : 1};
  };
  const Groups matrices(matrix_of, matrices_.size());
  overall_ = level_of(matrices.entries);
  for (std::size_t matrix = 0; matrix < matrices.size(); ++matrix)
    levels_.push_back(level_of(matrices[matrix]));

  std::vector<double> result(values.size());
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    const Level& own = levels_[matrix_of[entry]];
    result[entry] = (values[entry] - own.mean) / own.deviation;
  }
  return result;
}

BiScaling::Affine BiScaling::at(const Cells& cells, std::size_t entry) const {
  const std::size_t matrix = find(matrices_, matrix_key(cells, entry));
  if (matrix == matrices_.size()) return {overall_.mean, overall_.deviation};
  double center = 0, scale = 1;
  for (const Lines* lines : {&rows_, &columns_}) {
    const std::size_t line = find(lines->keys, line_key(*lines, matrix, cells(entry, lines->mode)));
    if (line == lines->keys.size()) continue;
    center += lines->centers[line];
    scale *= lines->scales[line];
  }
  const Level& level = levels_[matrix];
  return {level.mean + level.deviation * center, level.deviation * scale};
}

void BiScaling::check_cells(const Cells& cells) const {
  if (cells.shape() != shape_)
    fail("the scaling is of a {} tensor, the cells are of a {} one", shape_.text(), cells.shape().text());
}

SparseTensor BiScaling::scale(const SparseTensor& data) const {
  check_cells(data.cells());
  SparseTensor result = data;
#pragma omp parallel for schedule(static)
  for (std::size_t entry = 0; entry < data.size(); ++entry) {
    const Affine affine = at(data.cells(), entry);
    result.values()[entry] = static_cast<float>((data.values()[entry] - affine.offset) / affine.slope);
  }
  return result;
}

std::vector<double> BiScaling::restore(const Cells& cells, std::span<const double> predictions) const {
  check_cells(cells);
  if (predictions.size() != cells.size())
    fail("{} cells, but {} predictions", cells.size(), predictions.size());
  std::vector<double> result(predictions.size());
#pragma omp parallel for schedule(static)
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const Affine affine = at(cells, entry);
    result[entry] = affine.offset + affine.slope * predictions[entry];
  }
  return result;
}

}  // namespace tulle
