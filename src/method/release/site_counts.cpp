#include "release/site_counts.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/sorted.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <cstring>
#include <numeric>
#include <span>

namespace tulle {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr float kLargestCount =
    0x1p62F;  // with its noise, whose draws are below 501 2^52 (noise/discrete.cpp)

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
    if (!(std::abs(value) <= kLargestCount) || value != std::round(value)) refuse();
    result.counts.append(cell, value);
  }
  return result;
}

// The entries of each user, in the order of the other modes.
class UserRows {
 public:
  UserRows(const SparseTensor& counts, int user_mode) : counts_(counts) {
    for (int mode = 0; mode < counts.order(); ++mode)
      if (mode != user_mode) others_.push_back(mode);
    std::vector<int> modes = others_;
    modes.insert(modes.begin(), user_mode);
    entries_ = lexicographic_order(counts.cells(), modes);
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (i == 0 || counts.cells()(entries_[i], user_mode) != counts.cells()(entries_[i - 1], user_mode))
        starts_.push_back(i);
    starts_.push_back(entries_.size());
  }

  std::size_t users() const { return starts_.size() - 1; }
  std::span<const std::size_t> entries(std::size_t user) const {
    return std::span(entries_).subspan(starts_[user], starts_[user + 1] - starts_[user]);
  }

  // Users with the same cells and the same counts can change places without a visible effect.
  std::vector<std::size_t> in_order() const {
    std::vector<std::size_t> order(users());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t one, std::size_t other) {
      const auto of_one = entries(one), of_other = entries(other);
      const auto by_cell = std::lexicographical_compare_three_way(
          of_one.begin(), of_one.end(), of_other.begin(), of_other.end(),
          [&](std::size_t a, std::size_t b) { return compare_cells(a, b); });
      if (by_cell != 0) return by_cell < 0;
      return std::ranges::lexicographical_compare(
          of_one, of_other, {}, [&](std::size_t entry) { return counts_.values()[entry]; },
          [&](std::size_t entry) { return counts_.values()[entry]; });
    });
    return order;
  }

 private:
  std::strong_ordering compare_cells(std::size_t one, std::size_t other) const {
    for (int mode : others_)
      if (const auto order = counts_.cells()(one, mode) <=> counts_.cells()(other, mode); order != 0)
        return order;
    return std::strong_ordering::equal;
  }

  const SparseTensor& counts_;
  std::vector<int> others_;
  std::vector<std::size_t> entries_, starts_;
};

}  // namespace

NumberedUsers number_users(const SparseTensor& counts, int user_mode) {
  const UserRows rows(counts, user_mode);
  SparseTensor numbered(counts.shape().with(user_mode, std::max<std::uint64_t>(rows.users(), 1)),
                        Unlisted::missing);
  numbered.reserve(counts.size());
  std::vector<Index> positions;
  for (const std::size_t row : rows.in_order()) {
    const std::span<const std::size_t> entries = rows.entries(row);
    for (std::size_t entry : entries) {
      auto cell = counts.cells().cell(entry);
      cell[static_cast<std::size_t>(user_mode)] = static_cast<Index>(positions.size());
      numbered.append(std::span(cell).first(static_cast<std::size_t>(counts.order())),
                      counts.values()[entry]);
    }
    positions.push_back(counts.cells()(entries.front(), user_mode));
  }
  return {std::move(numbered), std::move(positions)};
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
