#include "sites/site_pairs.hpp"

#include "completion_pairs.hpp"
#include "sites/local_rows.hpp"
#include "sites/site_cast.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/name_hashes.hpp>

#include <algorithm>

namespace tulle::attacks {
namespace {

constexpr std::uint64_t kMostSites = 4;

// The entries of users at this site.
SparseTensor at_site(const SparseTensor& all, int mode, const std::vector<int>& site_of_user, int site) {
  std::vector<std::size_t> own;
  for (std::size_t entry = 0; entry < all.size(); ++entry)
    if (site_of_user[all.cells()(entry, mode)] == site) own.push_back(entry);
  return all.select(own);
}

int below(int count, Random& random) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(count)));
}

// Under replace sites send entries, each of which is at one site.
Sites random_sites(int sites, Relation relation, Random& random) {
  const int colluding = below(sites, random), least = least_threshold(sites, colluding);
  return {.colluding = colluding,
          .threshold = least + below(sites - least + 1, random),
          .overlap = relation == Relation::replace ? 1 : 1 + below(sites, random),
          .server = relation != Relation::replace && below(2, random) == 1};
}

// Under replace every site must have a cell: its positions are public, and an empty table is refused.
std::vector<int> users_in_turn(const SparseTensor& all, int mode, int& sites, int first) {
  std::vector<int> site_of_user(all.shape()[mode], -1);
  int users = 0;
  for (const Index user : all.column(mode))
    if (site_of_user[user] < 0) site_of_user[user] = users++;
  sites = std::min(sites, users);
  for (int& site : site_of_user) site = std::max(site + first, 0) % sites;
  return site_of_user;
}

std::vector<int> drawn_users(std::size_t users, int sites, Random& random) {
  std::vector<int> site_of_user(users);
  for (int& site : site_of_user) site = static_cast<int>(random.below(static_cast<std::uint64_t>(sites)));
  return site_of_user;
}

// Assigns the users that occur in a table to sites by their names, as when one table is split among sites.
std::vector<int> dealt_users(const SparseTensor& all, int mode, int sites) {
  std::vector<Index> present(all.column(mode).begin(), all.column(mode).end());
  std::ranges::sort(present);
  present.erase(std::unique(present.begin(), present.end()), present.end());
  Mode users;
  for (const Index user : present) users.labels.push_back(fmt::format("user {}", user));
  const std::vector<int> part_of = parts_by_name(users, present.size(), sites);
  std::vector<int> site_of_user(all.shape()[mode]);
  for (std::size_t place = 0; place < present.size(); ++place) site_of_user[present[place]] = part_of[place];
  return site_of_user;
}

// The site of each user in the two tables.
struct SitesOfUsers {
  std::vector<int> first, second;
};

SitesOfUsers sites_of_users(const PairKind& kind, const Tensors& pair, int mode, int& sites, Random& random) {
  const int drawn = below(sites, random);
  if (kind.neighbours.relation == Relation::replace) {
    const std::vector<int> in_turn = users_in_turn(pair.first, mode, sites, drawn);
    return {in_turn, in_turn};
  }
  std::vector<int> all = drawn_users(pair.first.shape()[mode], sites, random);
  if (sites > 1) all[pair.user] = drawn;
  return {all, all};
}

}  // namespace

// The sites of users are random or, in half of the pairs, follow from their names. Random are also the sites
// that may collude or drop out and, in half of the pairs, an entity with separate rows at each site. One site
// is one place with all data.
NeighbouringPair random_site_pair(const PairKind& kind, std::uint64_t number) {
  Random random(number, 14), dealing(number, 17);
  auto [job, pair, text] = random_completion(kind, number);
  int sites = 1 + static_cast<int>(random.below(kMostSites));
  const int mode = job.terms.user_mode;
  SitesOfUsers site_of_user = sites_of_users(kind, pair, mode, sites, random);
  if (kind.neighbours.relation != Relation::replace && dealing.chance(0.5)) {
    site_of_user = {dealt_users(pair.first, mode, sites), dealt_users(pair.second, mode, sites)};
    text += ", users dealt by name";
  }
  Random local(number, 16);
  const auto couplings = draw_local_rows(job, pair.first.shape(), sites, local);
  if (!couplings.empty())
    text +=
        fmt::format(", mode {} has rows of each site's own{}", couplings.front()->local.front().entity + 1,
                    job.settings.get(setting::protection) ? ", protection shared" : "");
  const auto own = [&](const SparseTensor& all, const std::vector<int>& site_of, int site) {
    SparseTensor cells = at_site(all, mode, site_of, site);
    return couplings.empty() ? cells : at_local_rows(cells, *couplings[static_cast<std::size_t>(site)], mode);
  };
  NeighbouringPair result;
  if (sites == 1) {
    if (!couplings.empty()) job.fit.coupling = couplings.front();
    result = neighbouring_pair(job, own(pair.first, site_of_user.first, 0),
                               own(pair.second, site_of_user.second, 0), pair.watched);
  } else {
    const auto& with_user = pair.first.size() > pair.second.size() ? site_of_user.first : site_of_user.second;
    const int watched = with_user[pair.user];
    job.terms.sites = random_sites(sites, kind.neighbours.relation, random);
    text += fmt::format(", {} sites{}, threshold {}, {} collude, a user at {} at most, here site {}", sites,
                        job.terms.sites->server ? " and a server" : "", job.terms.sites->threshold,
                        job.terms.sites->colluding, job.terms.sites->overlap, watched + 1);
    SiteCast cast{.job = job, .tables = {}, .watched = watched, .couplings = couplings};
    for (int site = 0; site < sites; ++site) cast.tables.push_back(own(pair.first, site_of_user.first, site));
    result = neighbouring_pair(cast, own(pair.first, site_of_user.first, watched),
                               own(pair.second, site_of_user.second, watched), pair.watched);
  }
  result.text = std::move(text);
  return result;
}

}  // namespace tulle::attacks
