// Every cell becomes one 64-bit key. The keys are scattered into buckets small enough for the cache by their
// leading bits, and each bucket goes through a small hash table. When the positions of a cell fit into 64
// bits, a key belongs to one cell only; otherwise equal keys are only suspects, and the cells themselves
// decide.
#include "text/duplicates.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tulle {
namespace {

constexpr std::size_t kBucketKeys = 4096;  // with its table of twice the size: 96 KiB
constexpr std::size_t kMostBuckets = 4096;
constexpr std::size_t kPieces = 64;  // the entries are cut into as many, whatever the number of threads
constexpr int kPatience = 64;        // probes of the hash table before a bucket is sorted instead

// The finalizer of MurmurHash3: a bijection, so different cells that fit into 64 bits keep different keys.
std::uint64_t mix(std::uint64_t key) {
  key = (key ^ (key >> 33)) * 0xff51afd7ed558ccd;
  key = (key ^ (key >> 33)) * 0xc4ceb9fe1a85ec53;
  return key ^ (key >> 33);
}

class Keys {
 public:
  explicit Keys(const Cells& cells) : order_(cells.order()) {
    int bits = 0;
    for (int mode = 0; mode < order_; ++mode) {
      columns_[mode] = cells.column(mode).data();
      widths_[mode] = std::bit_width(cells.shape()[mode] - 1u);
      bits += widths_[mode];
    }
    packed_ = bits <= 64;
  }

  std::uint64_t operator()(std::size_t entry) const {
    std::uint64_t key = 0;
    if (packed_) {
      for (int mode = 0; mode < order_; ++mode) key = (key << widths_[mode]) | columns_[mode][entry];
      return mix(key);
    }
    for (int mode = 0; mode < order_; ++mode) key = mix(key + columns_[mode][entry] + 0x9e3779b97f4a7c15);
    return key;
  }

 private:
  int order_;
  bool packed_;
  std::array<const Index*, kMaxOrder> columns_;
  std::array<int, kMaxOrder> widths_;
};

bool precedes(const Cells& cells, std::size_t entry) {
  for (int mode = 0; mode < cells.order(); ++mode) {
    const Index here = cells(entry, mode), next = cells(entry + 1, mode);
    if (here != next) return here < next;
  }
  return false;
}

bool strictly_sorted(const Cells& cells) {
  std::size_t entry = 0;
  while (entry + 1 < cells.size() && precedes(cells, entry)) ++entry;
  return entry + 1 >= cells.size();
}

// Keys by the leading bits: those of bucket b are keys[starts[b]] to keys[starts[b + 1]].
struct Buckets {
  std::vector<std::uint64_t> keys;
  std::vector<std::size_t> starts;
};

Buckets scatter(const Keys& key_of, std::size_t count) {
  const std::size_t buckets = std::min(kMostBuckets, std::bit_ceil(count / kBucketKeys + 1));
  const auto bucket_of = [shift = 64 - std::countr_zero(buckets)](std::uint64_t key) {
    return shift == 64 ? 0 : static_cast<std::size_t>(key >> shift);
  };
  const auto piece_start = [&](std::size_t piece) {
    return count / kPieces * piece + std::min(piece, count % kPieces);
  };

  std::vector<std::size_t> places(kPieces *
                                  buckets);  // how many keys of a piece go to a bucket, then where they start
#pragma omp parallel for schedule(dynamic)
  for (std::size_t piece = 0; piece < kPieces; ++piece)
    for (std::size_t entry = piece_start(piece); entry < piece_start(piece + 1); ++entry)
      ++places[piece * buckets + bucket_of(key_of(entry))];

  Buckets result{std::vector<std::uint64_t>(count), std::vector<std::size_t>(buckets + 1)};
  std::size_t place = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    for (std::size_t piece = 0; piece < kPieces; ++piece)
      place += std::exchange(places[piece * buckets + bucket], place);
    result.starts[bucket + 1] = place;
  }

#pragma omp parallel for schedule(dynamic)
  for (std::size_t piece = 0; piece < kPieces; ++piece)
    for (std::size_t entry = piece_start(piece); entry < piece_start(piece + 1); ++entry) {
      const std::uint64_t key = key_of(entry);
      result.keys[places[piece * buckets + bucket_of(key)]++] = key;
    }
  return result;
}

// Both move keys that repeat an earlier one to the front, and return how many these are.
std::size_t gather_repeats_by_sorting(std::span<std::uint64_t> keys) {
  std::sort(keys.begin(), keys.end());
  std::size_t repeats = 0;
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (keys[i] == keys[i - 1]) keys[repeats++] = keys[i];
  return repeats;
}

std::size_t gather_repeats(std::span<std::uint64_t> keys, std::vector<std::uint64_t>& table) {
  const std::size_t slots = std::bit_ceil(2 * keys.size() + 1);
  table.assign(slots, 0);  // 0 marks a free slot; whether the key 0 was seen is kept aside
  bool seen_zero = false;
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::uint64_t key = keys[i];
    std::size_t slot = key & (slots - 1);
    int probes = 0;
    while (table[slot] != 0 && table[slot] != key && ++probes < kPatience) slot = (slot + 1) & (slots - 1);
    // Keys made to collide would take quadratic time.
    if (probes == kPatience) return gather_repeats_by_sorting(keys);
    const bool repeated = key == 0 ? std::exchange(seen_zero, true) : table[slot] == key;
    table[slot] = key;
    if (repeated) std::swap(keys[repeats++], keys[i]);  // keys before i have been looked at
  }
  return repeats;
}

// The keys that occur more than once, sorted.
std::vector<std::uint64_t> repeated_keys(Buckets buckets) {
  const std::size_t count = buckets.starts.size() - 1;
  std::vector<std::size_t> repeats(count);
#pragma omp parallel
  {
    std::vector<std::uint64_t> table;
#pragma omp for schedule(dynamic, 16)
    for (std::size_t bucket = 0; bucket < count; ++bucket) {
      const std::size_t start = buckets.starts[bucket];
      repeats[bucket] =
          gather_repeats(std::span(buckets.keys).subspan(start, buckets.starts[bucket + 1] - start), table);
    }
  }
  auto& keys = buckets.keys;
  auto end = keys.begin();
  for (std::size_t bucket = 0; bucket < count; ++bucket) {
    const auto start = keys.begin() + static_cast<std::ptrdiff_t>(buckets.starts[bucket]);
    end = std::copy(start, start + static_cast<std::ptrdiff_t>(repeats[bucket]), end);
  }
  std::sort(keys.begin(), end);
  keys.erase(std::unique(keys.begin(), end), keys.end());
  return std::move(keys);
}

// The first entry, in the order of the list, that repeats an earlier one.
std::optional<std::pair<std::size_t, std::size_t>> confirm(const Cells& cells, const Keys& key_of,
                                                           const std::vector<std::uint64_t>& suspects) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::vector<std::size_t> first_with(suspects.size(), kNone);
  std::unordered_multimap<std::uint64_t, std::size_t> others;  // further cells of the same key
  for (std::size_t entry = 0; entry < cells.size(); ++entry) {
    const std::uint64_t key = key_of(entry);
    const auto suspect = std::lower_bound(suspects.begin(), suspects.end(), key);
    if (suspect == suspects.end() || *suspect != key) continue;
    std::size_t& first = first_with[static_cast<std::size_t>(suspect - suspects.begin())];
    if (first == kNone) {
      first = entry;
      continue;
    }
    const auto same = [&](std::size_t earlier) { return cells.cell(earlier) == cells.cell(entry); };
    if (same(first)) return std::pair(first, entry);
    const auto [begin, end] = others.equal_range(key);
    for (auto other = begin; other != end; ++other)
      if (same(other->second)) return std::pair(other->second, entry);
    others.emplace(key, entry);
  }
  return {};
}

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> first_duplicate(const Cells& cells) {
  if (strictly_sorted(cells)) return {};
  const Keys key_of(cells);
  const auto suspects = repeated_keys(scatter(key_of, cells.size()));
  if (suspects.empty()) return {};
  return confirm(cells, key_of, suspects);
}

}  // namespace tulle
