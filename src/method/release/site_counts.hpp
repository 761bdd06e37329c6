// Counts that every site has released by itself and hands out to all sites, for models that are fitted to the
// noisy counts of several sites. Their cells are handed out too, with users as numbers from 0 on.
//
// A site's file may be sorted by its counts, or list users by how often they occur, so its order is not
// handed out: the order follows from the cells and the released counts.
#pragma once

#include <tulle/privacy/curator.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

struct SiteCounts {
  SparseTensor counts;  // released: whole numbers, positive or negative
  double alpha = 0;     // of their two-sided geometric noise; 0: they have none
};

// The released cells of a table by user, with users numbered from 0 on in the order of their cells in the
// other modes; users with the same cells are ordered by their counts.
struct NumberedUsers {
  SparseTensor counts;
  std::vector<Index> users;  // their positions
};
NumberedUsers number_users(const SparseTensor& counts, int user_mode);

// Hands this site's counts, whose users are numbered, out to the others, and answers with those of all sites,
// by site. An Error where a site sends what are no counts of this shape.
std::vector<SiteCounts> exchange_counts(const SiteCounts& own, int user_mode, const Curator& curator);

// The users of one site after those of the other.
struct JoinedCounts {
  SparseTensor counts;
  std::vector<double> alphas;      // one per count
  std::vector<Index> first_users;  // of every site
};
JoinedCounts join_counts(const std::vector<SiteCounts>& sites, int user_mode);

}  // namespace tulle
