#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/job/recommend.hpp>
#include <tulle/method/interest.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

constexpr std::array<std::string_view, 3> kRankings{"rating", "popularity", "both"};

RankBy chosen(const RecommendBy& by) {
  if (!by.interest && by.by && *by.by != RankBy::rating)
    fail(
        "the model does not say which positions users have; rank by rating[ (@by)], or, for a model without "
        "privacy, give what users have[ (@unseen)]");
  return by.by.value_or(by.interest ? RankBy::both : RankBy::rating);
}

// All of the range above the mean prediction counts as much as being e times as popular.
double liking(double value, double mean, const ModelFile& file) {
  const double width = file.range ? file.range->high - file.range->low : 0;
  return width > 0 ? std::exp(std::clamp((value - mean) / width, -1.0, 1.0)) : 1;
}

std::vector<double> scores_of(const std::vector<double>& values, std::span<const Index> positions,
                              std::span<const Index> seen, const ModelFile& file, const RecommendBy& by) {
  const RankBy ranking = chosen(by);
  if (ranking == RankBy::rating) return values;
  const Vector interest = by.interest->scores(seen);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) /
                      static_cast<double>(std::max<std::size_t>(values.size(), 1));
  std::vector<double> scores;
  for (std::size_t entry = 0; entry < values.size(); ++entry) {
    const double score = interest[positions[entry]];
    const bool liked = ranking == RankBy::both && score > 0;
    scores.push_back(liked ? score * liking(values[entry], mean, file) : score);
  }
  return scores;
}

RankBy rank_by_of(std::string_view name, std::string_view option) {
  const auto found = std::ranges::find(kRankings, name);
  if (found == kRankings.end())
    fail_usage("{} {}: give rating, popularity or both", option_name(option), name);
  return static_cast<RankBy>(found - kRankings.begin());
}

}  // namespace

RecommendBy recommend_by(const ModelFile& file, const std::string& name, std::string_view option, int users,
                         int items, const Cells* listed) {
  RecommendBy by;
  if (!name.empty()) by.by = rank_by_of(name, option);
  if (listed && file.guarantee.empty())
    by.interest = counted_interest(*listed, users, items, shape(file.model)[items]);
  else if (file.interest && file.interest->mode == items)
    by.interest = file.interest;
  return by;
}

std::optional<Index> find_position(const Mode& mode, const std::string& text) {
  if (!mode.labels.empty()) {
    const auto found = std::ranges::find(mode.labels, text);
    if (found == mode.labels.end()) return std::nullopt;
    return static_cast<Index>(found - mode.labels.begin());
  }
  const auto number = parse_number<Index>(text);
  if (!number || *number < 1) return std::nullopt;
  return *number - 1;
}

// Where any position will do (a common row), the cells' own labels tell users apart.
std::vector<Index> items_of(const CellList& listed, int users, int items, const std::string& user) {
  const std::optional<Index> place = find_position(listed.modes[static_cast<std::size_t>(users)], user);
  std::vector<Index> found;
  for (std::size_t entry = 0; place && entry < listed.cells.size(); ++entry)
    if (listed.cells(entry, users) == *place) found.push_back(listed.cells(entry, items));
  return found;
}

std::vector<Recommended> recommend(const ModelFile& file, std::vector<Index> cell, int mode, std::size_t top,
                                   std::span<const Index> seen, const RecommendBy& by) {
  const Shape all = shape(file.model);
  std::vector<bool> left_out(all[mode]);
  for (const Index position : seen)
    if (position < left_out.size()) left_out[position] = true;
  Cells cells(all);
  cells.reserve(all[mode]);
  for (Index position = 0; position < all[mode]; ++position) {
    if (left_out[position]) continue;
    cell[static_cast<std::size_t>(mode)] = position;
    cells.append(cell);
  }
  const std::vector<double> values = predict_cells(file, cells, Clamping::none);
  const std::vector<double> scores = scores_of(values, cells.column(mode), seen, file, by);
  std::vector<std::size_t> entries(values.size()), best(std::min(top, values.size()));
  std::iota(entries.begin(), entries.end(), std::size_t{0});
  std::ranges::partial_sort_copy(entries, best, [&](std::size_t one, std::size_t other) {
    return scores[one] > scores[other] || (scores[one] == scores[other] && one < other);
  });
  std::vector<Recommended> found;
  for (const std::size_t entry : best) found.push_back({cells.column(mode)[entry], values[entry]});
  for (Recommended& item : found) clamp_predicted(file, Clamping::to_range, {&item.value, 1});
  return found;
}

}  // namespace tulle
