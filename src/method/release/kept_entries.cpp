#include "kept_entries.hpp"

#include "estimate/released_entries.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tulle {

KeptEntries keep_all(const Cells& cells) {
  KeptEntries all{std::vector<std::size_t>(cells.size()), 1};
  std::iota(all.entries.begin(), all.entries.end(), std::size_t{0});
  return all;
}

KeptEntries keep_entries(const Cells& cells, int user_mode, std::optional<int> limit,
                         const NameHashes& hashes) {
  if (limit && *limit < 1) fail_usage("at most {} entries of a user: give 1 or more", *limit);
  const std::uint64_t most = limit ? static_cast<std::uint64_t>(*limit) : cells.size();
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  order.reserve(cells.size());
  for (std::size_t entry = 0; entry < cells.size(); ++entry)
    order.emplace_back(limit ? hashes.of(cells, entry) : 0, entry);
  std::ranges::sort(order);
  std::vector<std::uint64_t> counts(cells.shape()[user_mode]);
  KeptEntries kept;
  for (const auto& [hash, entry] : order) {
    std::uint64_t& count = counts[cells(entry, user_mode)];
    if (count >= most) continue;
    kept.most = std::max(kept.most, ++count);
    kept.entries.push_back(entry);
  }
  std::ranges::sort(kept.entries);
  return kept;
}

KeptEntries entries_that_count(const PrivateRequest& request, std::optional<int> otherwise) {
  const Cells& cells = request.data.positions();
  if (request.terms.unit != Unit::user) return keep_all(cells);
  const std::optional<int> limit = request.settings.get(setting::entries_per_user);
  return keep_entries(cells, request.terms.user_mode, limit ? limit : otherwise,
                      request.fit.names
                          ? *request.fit.names
                          : hashes_for_choice(unnamed_modes(cells.order()), cells.shape(), request.fit.seed));
}

Release release_kept(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                     const KeptEntries& kept, bool whole_numbers) {
  const std::string what = request.terms.unit == Unit::user
                               ? fmt::format("entries of every user, {} or fewer of each", kept.most)
                               : std::string("every entry");
  Noisy released =
      curator.release_alone(request.data.observed(), noise, what, [&](const SparseTensor& observed) {
        std::vector<double> values;
        values.reserve(kept.entries.size());
        for (std::size_t entry : kept.entries) {
          const double value = observed.values()[entry];
          values.push_back(whole_numbers ? std::nearbyint(value) : value);
        }
        return values;
      });
  Release release = Release::of(kEntries, curator, std::move(released));
  release.typical = noise.typical_deviation();
  if (kept.entries.size() < request.data.positions().size())
    release.units.assign(kept.entries.begin(), kept.entries.end());
  return release;
}

SparseTensor release_entries(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                             const KeptEntries& kept, bool whole_numbers) {
  const Release released = release_kept(request, curator, noise, kept, whole_numbers);
  const Release* const all[] = {&released};
  return entries_worth_fitting(request.data.positions(), all);
}

}  // namespace tulle
