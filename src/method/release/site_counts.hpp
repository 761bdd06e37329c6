// Counts that every site has released by itself, and which all sites get: for models that are fitted to the
// noisy counts of several sites. With them goes which cells they are of; users go by numbers from 0 on.
#pragma once

#include <tulle/privacy/curator.hpp>
#include <tulle/tensor/sparse.hpp>

#include <vector>

namespace tulle {

struct SiteCounts {
  SparseTensor counts;  // released: whole numbers, positive or negative
  double alpha = 0;     // of their two-sided geometric noise; 0: they have none
};

// The cells of a table with users numbered from 0 on, in the order of their positions.
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
