#include <tulle/base/error.hpp>
#include <tulle/base/gamma.hpp>
#include <tulle/data/metrics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <vector>

namespace tulle {
namespace {

constexpr double kNoMeaning = std::numeric_limits<double>::quiet_NaN();

void check_sizes(std::size_t truth, std::size_t prediction) {
  if (truth != prediction) fail("{} true values, but {} predictions", truth, prediction);
}

bool can_be_ranked(Doubles prediction) {
  return std::ranges::none_of(prediction, [](double value) { return std::isnan(value); });
}

// Pieces of fixed size are summed separately and then in order, whatever the number of threads.
constexpr std::size_t kPiece = std::size_t{1} << 14;

template <class Sum, class SumPiece, class Add>
Sum sum_in_pieces(std::size_t items, SumPiece sum_piece, Add add) {
  const std::size_t pieces = (items + kPiece - 1) / kPiece;
  std::vector<Sum> partial(pieces);
#pragma omp parallel for schedule(static) if (pieces > 1)
  for (std::size_t piece = 0; piece < pieces; ++piece)
    partial[piece] = sum_piece(piece * kPiece, std::min(items, (piece + 1) * kPiece));
  Sum total{};
  for (const Sum& sum : partial) add(total, sum);
  return total;
}

template <class Term>
double sum_terms(std::size_t items, Term term) {
  return sum_in_pieces<double>(
      items,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) sum += term(i);
        return sum;
      },
      [](double& total, double sum) { total += sum; });
}

void add(ErrorSums& total, const ErrorSums& more) {
  total.count += more.count;
  total.absolute += more.absolute;
  total.squared += more.squared;
  total.truth_squared += more.truth_squared;
}

template <class T>
ErrorSums error_sums(std::span<const T> truth, Doubles prediction) {
  check_sizes(truth.size(), prediction.size());
  return sum_in_pieces<ErrorSums>(
      truth.size(),
      [&](std::size_t begin, std::size_t end) {
        ErrorSums sums;
        sums.count = end - begin;
        for (std::size_t i = begin; i < end; ++i) {
          const double error = prediction[i] - truth[i];
          sums.absolute += std::abs(error);
          sums.squared += error * error;
          sums.truth_squared += static_cast<double>(truth[i]) * truth[i];
        }
        return sums;
      },
      add);
}

// The Mann-Whitney statistic, from one walk over the cells in the order of their predictions: each group of
// ties beats the negatives before it and ties with its own. Halves and counts are exact in float64 up to 2^52
// pairs.
template <class T>
double rank_auc(std::span<const T> truth, Doubles prediction) {
  check_sizes(truth.size(), prediction.size());
  if (!can_be_ranked(prediction)) return kNoMeaning;
  std::vector<std::pair<double, bool>> ranked(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) ranked[i] = {prediction[i], truth[i] > 0};
  std::sort(ranked.begin(), ranked.end());

  double pairs_won = 0;
  std::size_t negatives = 0, positives = 0;
  for (auto tie = ranked.begin(); tie != ranked.end();) {
    std::size_t tied_positives = 0, tied_negatives = 0;
    const double value = tie->first;
    for (; tie != ranked.end() && tie->first == value; ++tie)
      ++(tie->second ? tied_positives : tied_negatives);
    pairs_won += static_cast<double>(tied_positives) *
                 (static_cast<double>(negatives) + static_cast<double>(tied_negatives) / 2);
    negatives += tied_negatives;
    positives += tied_positives;
  }
  if (positives == 0 || negatives == 0) return kNoMeaning;
  return pairs_won / (static_cast<double>(positives) * static_cast<double>(negatives));
}

// Share of relevant cells among the k best of one group, whose cells are sorted from the highest prediction.
// Cells that tie for the last places share them.
template <class Best, class Relevant>
double group_precision(std::span<const std::size_t> cells, std::size_t k, Best prediction_of,
                       Relevant relevant) {
  const std::size_t places = std::min(k, cells.size());
  const double border = prediction_of(cells[places - 1]);
  std::size_t above = 0, relevant_above = 0, tied = 0, relevant_tied = 0;
  for (std::size_t cell : cells) {
    if (prediction_of(cell) > border) {
      ++above;
      relevant_above += relevant(cell);
    } else if (prediction_of(cell) == border) {
      ++tied;
      relevant_tied += relevant(cell);
    } else {
      break;
    }
  }
  const double shared = static_cast<double>(places - above) / static_cast<double>(tied);
  return (static_cast<double>(relevant_above) + shared * static_cast<double>(relevant_tied)) /
         static_cast<double>(places);
}

template <class T>
double mean_precision(std::span<const Index> groups, std::span<const T> truth, Doubles prediction, int k,
                      double relevant_from) {
  check_sizes(truth.size(), prediction.size());
  if (groups.size() != truth.size()) fail("{} groups were given for {} cells", groups.size(), truth.size());
  if (k < 1) fail_usage("precision at {}: give 1 or more", k);
  if (truth.empty() || !can_be_ranked(prediction)) return kNoMeaning;
  std::vector<std::size_t> order(truth.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return groups[a] != groups[b] ? groups[a] < groups[b] : prediction[a] > prediction[b];
  });

  double sum = 0;
  std::size_t group_count = 0;
  for (std::size_t begin = 0; begin < order.size(); ++group_count) {
    std::size_t end = begin;
    while (end < order.size() && groups[order[end]] == groups[order[begin]]) ++end;
    sum += group_precision(
        std::span(order).subspan(begin, end - begin), static_cast<std::size_t>(k),
        [&](std::size_t cell) { return prediction[cell]; },
        [&](std::size_t cell) { return truth[cell] >= relevant_from; });
    begin = end;
  }
  return sum / static_cast<double>(group_count);
}

template <class T>
double poisson(std::span<const T> truth, Doubles prediction) {
  check_sizes(truth.size(), prediction.size());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const bool is_count = truth[i] >= 0 && truth[i] == std::floor(truth[i]) && std::isfinite(truth[i]);
    if (!is_count || !(prediction[i] >= 0) || std::isinf(prediction[i])) return kNoMeaning;
  }
  return sum_terms(truth.size(), [&](std::size_t i) {
    const double count = truth[i], rate = prediction[i];
    if (rate == 0) return count == 0 ? 0 : -std::numeric_limits<double>::infinity();
    return count * std::log(rate) - rate - log_gamma(1 + count);
  });
}

}  // namespace

void ErrorSums::add(Floats truth, Doubles prediction) {
  tulle::add(*this, error_sums(truth, prediction));
}
void ErrorSums::add(Doubles truth, Doubles prediction) {
  tulle::add(*this, error_sums(truth, prediction));
}

double ErrorSums::rmse() const {
  if (count == 0) return kNoMeaning;
  return std::sqrt(squared / static_cast<double>(count));
}

double ErrorSums::mae() const {
  if (count == 0) return kNoMeaning;
  return absolute / static_cast<double>(count);
}

double ErrorSums::rse() const {
  if (truth_squared == 0) return kNoMeaning;
  return std::sqrt(squared / truth_squared);
}

double rmse(Floats truth, Doubles prediction) {
  return error_sums(truth, prediction).rmse();
}
double rmse(Doubles truth, Doubles prediction) {
  return error_sums(truth, prediction).rmse();
}

double mae(Floats truth, Doubles prediction) {
  return error_sums(truth, prediction).mae();
}
double mae(Doubles truth, Doubles prediction) {
  return error_sums(truth, prediction).mae();
}

double rse(Floats truth, Doubles prediction) {
  return error_sums(truth, prediction).rse();
}
double rse(Doubles truth, Doubles prediction) {
  return error_sums(truth, prediction).rse();
}

double auc(Floats truth, Doubles prediction) {
  return rank_auc(truth, prediction);
}
double auc(Doubles truth, Doubles prediction) {
  return rank_auc(truth, prediction);
}

std::optional<double> auc_within(std::span<const Index> groups, Floats truth, Doubles prediction) {
  struct Group {
    std::vector<float> truth;
    std::vector<double> prediction;
  };
  std::map<Index, Group> by_number;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    Group& group = by_number[groups[i]];
    group.truth.push_back(truth[i]);
    group.prediction.push_back(prediction[i]);
  }
  double sum = 0, count = 0;
  for (const auto& [number, group] : by_number) {
    const auto positive = std::ranges::count_if(group.truth, [](float value) { return value > 0; });
    if (positive == 0 || positive == std::ssize(group.truth)) continue;
    sum += auc(group.truth, group.prediction);
    ++count;
  }
  return count > 0 ? std::optional(sum / count) : std::nullopt;
}

double precision_at_k(std::span<const Index> groups, Floats truth, Doubles prediction, int k,
                      double relevant_from) {
  return mean_precision(groups, truth, prediction, k, relevant_from);
}
double precision_at_k(std::span<const Index> groups, Doubles truth, Doubles prediction, int k,
                      double relevant_from) {
  return mean_precision(groups, truth, prediction, k, relevant_from);
}

double poisson_log_likelihood(Floats truth, Doubles prediction) {
  return poisson(truth, prediction);
}
double poisson_log_likelihood(Doubles truth, Doubles prediction) {
  return poisson(truth, prediction);
}

}  // namespace tulle
