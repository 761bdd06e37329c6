#include <tulle/base/error.hpp>
#include <tulle/job/ranking.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

namespace tulle {
namespace {

// Where a user of the files is in the model: anywhere, if it has no rows of single users.
Index model_position(const ModelFile& file, int users, const Mode& listed, Index user) {
  const Mode& mode = file.modes[static_cast<std::size_t>(users)];
  if (mode.any) return 0;
  const std::string name = position_name(listed, user);
  const std::optional<Index> found = find_position(mode, name);
  if (!found || *found >= shape(file.model)[users])
    fail("'{}' is not a position of mode {} of this model", name, mode.name);
  return *found;
}

std::vector<UserToRank> users_to_rank(const ModelFile& file, const CellList& known, const CellList& test,
                                      int users, int items) {
  std::map<Index, UserToRank> found;
  const Index positions = shape(file.model)[items];
  for (std::size_t cell = 0; cell < test.cells.size(); ++cell)
    if (const Index item = test.cells(cell, items); item < positions)
      found[test.cells(cell, users)].wanted.push_back(item);
  for (std::size_t cell = 0; cell < known.cells.size(); ++cell)
    if (const auto user = found.find(known.cells(cell, users)); user != found.end())
      user->second.known.push_back(known.cells(cell, items));
  std::vector<UserToRank> all;
  for (auto& [user, cells] : found) {
    std::erase_if(cells.wanted, [&](Index item) {  // known ones are not recommended
      return std::ranges::find(cells.known, item) != cells.known.end();
    });
    cells.position = model_position(file, users, test.modes[static_cast<std::size_t>(users)], user);
    all.push_back(std::move(cells));
  }
  return all;
}

}  // namespace

RankingScores score_ranking(const ModelFile& file, int users, int items, const std::vector<UserToRank>& all,
                            std::size_t top, const RecommendBy& by) {
  RankingScores scores;
  std::unordered_set<Index> covered;
  for (const UserToRank& user : all) {
    if (user.wanted.empty()) continue;
    std::vector<Index> cell(2);
    cell[static_cast<std::size_t>(users)] = user.position;
    double found = 0, gain = 0, best = 0;
    const std::size_t possible = std::min(top, user.wanted.size());
    for (std::size_t rank = 0; rank < possible; ++rank) best += 1 / std::log2(2 + static_cast<double>(rank));
    double rank = 0;
    for (const Recommended& item : recommend(file, cell, items, top, user.known, by)) {
      covered.insert(item.position);
      ++rank;
      if (std::ranges::find(user.wanted, item.position) == user.wanted.end()) continue;
      ++found, gain += 1 / std::log2(1 + rank);
    }
    ++scores.users;
    scores.recall += found / static_cast<double>(possible);
    scores.ndcg += gain / best;
    scores.hit_rate += found > 0 ? 1 : 0;
  }
  const auto count = static_cast<double>(std::max<std::size_t>(scores.users, 1));
  scores.recall /= count, scores.ndcg /= count, scores.hit_rate /= count;
  scores.coverage = static_cast<double>(covered.size()) / static_cast<double>(shape(file.model)[items]);
  return scores;
}

UnseenRanking rank_unseen(const ModelFile& file, const RankingRequest& request) {
  if (file.modes.size() != 2)
    fail("@ranking is for a model of users and items; this one has {} modes", file.modes.size());
  const int users = request.users, items = 1 - users;
  if (file.interest && file.interest->mode == users)
    fail_usage("mode {} has the items of this model; give @by {}", file.modes[users].name,
               file.modes[items].name);
  ReadOptions reading = request.input;
  reading.known = file.modes;
  reading.grow = true;  // what the model does not know is not ranked
  const CellList known = read_cells(request.known, reading);
  reading.known = known.modes;
  const CellList test = read_cells(request.test, reading);
  const std::vector<UserToRank> all = users_to_rank(file, known, test, users, items);
  const RecommendBy by = recommend_by(file, request.by, "rank-by", users, items, &known.cells);
  UnseenRanking ranking{score_ranking(file, users, items, all, request.top, by), {}};
  if (!by.interest) return ranking;
  const RecommendBy popularity{RankBy::popularity,
                               Interest{items, by.interest->popularity, {}, Matrix(0, 0), Vector(0)}};
  ranking.popularity = score_ranking(file, users, items, all, request.top, popularity);
  return ranking;
}

}  // namespace tulle
