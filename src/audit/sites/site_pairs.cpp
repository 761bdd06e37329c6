#include "sites/site_pairs.hpp"

#include "completion_pairs.hpp"
#include "sites/site_cast.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>

namespace tulle::attacks {
namespace {

constexpr std::uint64_t kMostSites = 4;

// Entries of users that are at this site.
SparseTensor at_site(const SparseTensor& all, int mode, const std::vector<int>& site_of_user, int site) {
  std::vector<std::size_t> own;
  for (std::size_t entry = 0; entry < all.size(); ++entry)
    if (site_of_user[all.cells()(entry, mode)] == site) own.push_back(entry);
  return all.select(own);
}

Sites random_sites(int sites, Random& random) {
  const int colluding = static_cast<int>(random.below(static_cast<std::uint64_t>(sites)));
  const int least = least_threshold(sites, colluding);
  return {.colluding = colluding,
          .threshold = least + static_cast<int>(random.below(static_cast<std::uint64_t>(sites - least + 1)))};
}

}  // namespace

// The sites' users are drawn, and so is who may collude or drop out. One site is one place with all data.
NeighbouringPair random_site_pair(const PairKind& kind, std::uint64_t number) {
  Random random(number, 14);
  auto [job, pair, text] = random_completion(kind, number);
  const int sites = 1 + static_cast<int>(random.below(kMostSites));
  NeighbouringPair result;
  if (sites == 1) {
    result = neighbouring_pair(job, std::move(pair.first), std::move(pair.second), pair.watched);
  } else {
    const int mode = job.terms.user_mode,
              watched = static_cast<int>(random.below(static_cast<std::uint64_t>(sites)));
    std::vector<int> site_of_user(pair.first.shape()[mode]);
    for (int& site : site_of_user) site = static_cast<int>(random.below(static_cast<std::uint64_t>(sites)));
    site_of_user[pair.user] = watched;
    job.terms.sites = random_sites(sites, random);
    text += fmt::format(", {} sites, threshold {}, {} collude, user of site {}", sites,
                        job.terms.sites->threshold, job.terms.sites->colluding, watched + 1);
    SiteCast cast{.job = job, .tables = {}, .watched = watched};
    for (int site = 0; site < sites; ++site)
      cast.tables.push_back(at_site(pair.first, mode, site_of_user, site));
    result = neighbouring_pair(cast, at_site(pair.first, mode, site_of_user, watched),
                               at_site(pair.second, mode, site_of_user, watched), pair.watched);
  }
  result.text = std::move(text);
  return result;
}

}  // namespace tulle::attacks
