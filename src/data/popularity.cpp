#include <tulle/data/popularity.hpp>

#include <unordered_map>

namespace tulle {
namespace {

// Beside sums of counts: ranks what never occurred below what did once, and not all of it alike.
constexpr double kLittle = 0.1, kLess = 0.01;

// Numbers the combinations of all positions but the first.
std::size_t rest_of(const Cells& cells, std::size_t entry) {
  std::size_t number = 0;
  for (int mode = 1; mode < cells.order(); ++mode) number = number * cells.shape()[mode] + cells(entry, mode);
  return number;
}

}  // namespace

std::vector<double> popularity(const SparseTensor& data, const Cells& cells) {
  std::vector<double> activity(data.shape()[0], kLittle);
  std::unordered_map<std::size_t, double> occurrence;
  for (std::size_t entry = 0; entry < data.size(); ++entry) {
    activity[data.column(0)[entry]] += data.values()[entry];
    occurrence[rest_of(data.cells(), entry)] += data.values()[entry];
  }
  std::vector<double> scores;
  scores.reserve(cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const auto found = occurrence.find(rest_of(cells, entry));
    scores.push_back(activity[cells(entry, 0)] * ((found == occurrence.end() ? 0 : found->second) + kLess));
  }
  return scores;
}

}  // namespace tulle
