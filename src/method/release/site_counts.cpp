#include "release/site_counts.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace tulle {
namespace {

using Words = std::vector<std::uint64_t>;

// Users, entries, alpha; then of every entry its cell and its count.
Words words_of(const SiteCounts& own, int user_mode) {
  const SparseTensor& counts = own.counts;
  Words words = {counts.shape()[user_mode], counts.size(), std::bit_cast<std::uint64_t>(own.alpha)};
  for (std::size_t entry = 0; entry < counts.size(); ++entry) {
    for (int mode = 0; mode < counts.order(); ++mode) words.push_back(counts.cells()(entry, mode));
    words.push_back(std::bit_cast<std::uint64_t>(double{counts.values()[entry]}));
  }
  return words;
}

Curator::Bytes bytes_of(const Words& words) {
  Curator::Bytes bytes(words.size() * sizeof words[0]);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

Words words_in(const Curator::Bytes& bytes) {
  Words words(bytes.size() / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof words[0]);
  return words;
}

// Every user has a count, so that there are no more users than counts.
SiteCounts counts_in(const Words& words, const Shape& own, int user_mode, std::size_t site) {
  const auto refuse = [&] {
    fail("site {} sent no counts of a table like this one; the run ends", site + 1);
  };
  const std::size_t width = static_cast<std::size_t>(own.order()) + 1;
  if (words.size() < 3 || words[1] != (words.size() - 3) / width || (words.size() - 3) % width != 0 ||
      words[0] > words[1] || words[0] == 0)
    refuse();
  SiteCounts result{{own.with(user_mode, words[0]), Unlisted::missing}, std::bit_cast<double>(words[2])};
  if (!(result.alpha >= 0 && result.alpha < 1)) refuse();
  result.counts.reserve(words[1]);
  std::vector<Index> cell(width - 1);
  for (auto at = words.begin() + 3; at != words.end(); at += static_cast<std::ptrdiff_t>(width)) {
    for (int mode = 0; mode < own.order(); ++mode) {
      if (at[mode] >= result.counts.shape()[mode]) refuse();
      cell[static_cast<std::size_t>(mode)] = static_cast<Index>(at[mode]);
    }
    const auto value = static_cast<float>(std::bit_cast<double>(at[own.order()]));
    if (!std::isfinite(value) || value != std::round(value)) refuse();
    result.counts.append(cell, value);
  }
  return result;
}

}  // namespace

NumberedUsers number_users(const SparseTensor& counts, int user_mode) {
  const auto column = counts.column(user_mode);
  std::vector<Index> users(column.begin(), column.end());
  std::ranges::sort(users);
  users.erase(std::unique(users.begin(), users.end()), users.end());
  SparseTensor numbered(counts.shape().with(user_mode, std::max<std::uint64_t>(users.size(), 1)),
                        Unlisted::missing);
  numbered.reserve(counts.size());
  for (std::size_t entry = 0; entry < counts.size(); ++entry) {
    auto cell = counts.cells().cell(entry);
    Index& user = cell[static_cast<std::size_t>(user_mode)];
    user = static_cast<Index>(std::ranges::lower_bound(users, user) - users.begin());
    numbered.append(std::span(cell).first(static_cast<std::size_t>(counts.order())), counts.values()[entry]);
  }
  return {std::move(numbered), std::move(users)};
}

std::vector<SiteCounts> exchange_counts(const SiteCounts& own, int user_mode, const Curator& curator) {
  std::vector<SiteCounts> sites;
  for (const Curator::Bytes& sent : curator.hand_out(bytes_of(words_of(own, user_mode))))
    sites.push_back(counts_in(words_in(sent), own.counts.shape(), user_mode, sites.size()));
  return sites;
}

JoinedCounts join_counts(const std::vector<SiteCounts>& sites, int user_mode) {
  std::uint64_t users = 0;
  std::vector<Index> first_users;
  for (const SiteCounts& site : sites) {
    first_users.push_back(static_cast<Index>(users));
    users += site.counts.shape()[user_mode];
  }
  JoinedCounts joined{
      {sites.front().counts.shape().with(user_mode, users), Unlisted::missing}, {}, first_users};
  for (std::size_t site = 0; site < sites.size(); ++site) {
    const SparseTensor& counts = sites[site].counts;
    for (std::size_t entry = 0; entry < counts.size(); ++entry) {
      auto cell = counts.cells().cell(entry);
      cell[static_cast<std::size_t>(user_mode)] += first_users[site];
      joined.counts.append(std::span(cell).first(static_cast<std::size_t>(counts.order())),
                           counts.values()[entry]);
    }
    joined.alphas.resize(joined.counts.size(), sites[site].alpha);
  }
  return joined;
}

}  // namespace tulle
