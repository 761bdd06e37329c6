#include "check.hpp"

#include <tulle/model/topics.hpp>

#include <cmath>

namespace tulle {

Shape Topics::shape() const {
  return {static_cast<std::uint64_t>(topics.rows()), static_cast<std::uint64_t>(topics.cols())};
}

std::vector<double> Topics::predict(const Cells& cells) const {
  check_cells(shape(), cells);
  std::vector<double> values(cells.size());
  for (std::size_t entry = 0; entry < values.size(); ++entry)
    values[entry] = topics(cells(entry, 0), cells(entry, 1));
  return values;
}

DenseTensor Topics::reconstruct() const {
  return {shape(), {topics.data(), topics.data() + topics.size()}};
}

void check(const Topics& model) {
  if (model.topics.cols() != model.weights.size() || model.weights.size() < 1)
    fail("topics: {} columns of words, but {} weights", model.topics.cols(), model.weights.size());
  if (!(model.weights.minCoeff() >= 0) || !(model.weights.maxCoeff() > 0))
    fail("topics: the weights run from {} to {}; they must be 0 or more, and one above 0",
         model.weights.minCoeff(), model.weights.maxCoeff());
  if (model.topics.rows() < 1) fail("topics: there are no words");
  if (model.variance != 0 && !(model.variance > 0 && std::isnormal(model.variance)))
    fail("topics: the variance is {}; it must be 0 for words, or a finite number above 0", model.variance);
  if (!model.stands_out.empty() && std::ssize(model.stands_out) != model.weights.size())
    fail("topics: {} marks of {} topics", model.stands_out.size(), model.weights.size());
}

}  // namespace tulle
