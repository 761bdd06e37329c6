// Counts that every site has released by itself, and which all sites get: for models that are fitted to the
// noisy counts of several sites. With them goes which cells they are of; users go by numbers from 0 on.
//
// Rows of a site's file can be sorted by their counts, and users be listed by how often they come: what is
// handed out is in an order that follows from the cells and from what was released, whatever the file's is.
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
// other modes; those who have the same cells, of their counts.
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
