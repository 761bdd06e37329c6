// How well a model ranks, for each user, all the items that she is not known to have.
#pragma once

#include <tulle/job/recommend.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct RankingScores {
  std::size_t users = 0;  // with items to find
  double recall = 0;      // share of a user's items, or of `top` if she has more, among the best `top`
  double ndcg = 0;        // the same, where an item counts by 1 / log2(1 + its rank), of the best possible
  double hit_rate = 0;    // share of the users with an item among them
  double coverage = 0;    // share of all items that are among the best of some user
};

struct UserToRank {
  Index position = 0;  // in the model
  std::vector<Index> known, wanted;
};

// Of a model of users and items, and nothing else.
RankingScores score_ranking(const ModelFile& file, int users, int items, const std::vector<UserToRank>& all,
                            std::size_t top, const RecommendBy& by);

struct RankingRequest {
  std::string known, test;  // files of cells
  ReadOptions input;
  int users = 0;  // the mode of them
  std::size_t top = 10;
  std::string by;  // as recommend reads it; "": its default
};

struct UnseenRanking {
  RankingScores model;
  std::optional<RankingScores> popularity;  // of how many users have an item, where that is known
};

// For each user of `test`, ranks all items that `known` does not list for her. For the owner of the data.
UnseenRanking rank_unseen(const ModelFile& file, const RankingRequest& request);

}  // namespace tulle
