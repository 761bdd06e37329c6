// Every cell gets a tag, and tags are evenly distributed. They are sorted into buckets small enough for the
// cache, one piece of the list at a time, so that writes stay close together; then each bucket is searched
// with a bitmap. Entries with equal tags are suspects, whose cells are compared.
#include "text/duplicates.hpp"

#include "text/huge_pages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace tulle {
namespace {

constexpr std::size_t kPieceEntries = std::size_t{1} << 19;  // their tags fill 4 MiB
constexpr std::size_t kBucketTags = 8192;
constexpr int kMostBucketBits = 11;
constexpr int kTagBits = 32;

// A tag is the bucket followed by 32 further bits. Positions that fit into kMostBucketBits + kTagBits bits
// are permuted within these by a bijection, so that (with all these buckets) different cells have different
// tags.
class Tags {
 public:
  explicit Tags(const Cells& cells) : order_(cells.order()) {
    int bits = 0;
    for (int mode = 0; mode < order_; ++mode) {
      columns_[mode] = cells.column(mode).data();
      widths_[mode] = std::bit_width(cells.shape()[mode] - 1u);
      bits += widths_[mode];
    }
    packed_ = bits <= 64;
    width_ = std::clamp(bits, kMostBucketBits + kTagBits, 64);
    bucket_bits_ = std::min(kMostBucketBits, static_cast<int>(std::bit_width(cells.size() / kBucketTags)));
  }

  std::size_t buckets() const { return std::size_t{1} << bucket_bits_; }

  // Calls visit(entry, tag) for entries from `first` to before `last`.
  template <class Visit>
  void for_each(std::size_t first, std::size_t last, Visit&& visit) const {
    std::array<std::uint64_t, 512> row;
    for (; first < last; first += row.size()) {
      const std::size_t count = std::min(row.size(), last - first);
      compute(first, std::span(row.data(), count));
      for (std::size_t i = 0; i < count; ++i) visit(first + i, row[i]);
    }
  }

 private:
  // Like the finalizer of MurmurHash3, but within a number of bits: multiplication by an odd number and XOR
  // of the upper half into the lower one are both invertible.
  class Scatter {
   public:
    explicit Scatter(int bits) : half_(bits / 2), mask_(~std::uint64_t{0} >> (64 - bits)) {}
    std::uint64_t operator()(std::uint64_t key) const {
      key = key * 0xff51afd7ed558ccd & mask_;
      key ^= key >> half_;
      key = key * 0xc4ceb9fe1a85ec53 & mask_;
      return key ^ (key >> half_);
    }

   private:
    int half_;
    std::uint64_t mask_;
  };

  // Column by column, so that the compiler vectorizes over entries.
  void compute(std::size_t first, std::span<std::uint64_t> tags) const {
    const Scatter scattered(width_);
    std::fill(tags.begin(), tags.end(), 0);
    for (int mode = 0; mode < order_; ++mode) {
      const Index* const column = columns_[mode] + first;
      const int width = widths_[mode];
      if (packed_)
        for (std::size_t i = 0; i < tags.size(); ++i) tags[i] = (tags[i] << width) | column[i];
      else
        for (std::size_t i = 0; i < tags.size(); ++i)
          tags[i] = scattered(tags[i] + column[i] + 0x9e3779b97f4a7c15);
    }
    const int below_bucket = width_ - 1 - bucket_bits_;
    for (std::uint64_t& tag : tags) {
      const std::uint64_t key = packed_ ? scattered(tag) : tag;
      tag = key >> 1 >> below_bucket << kTagBits | static_cast<std::uint32_t>(key);
    }
  }

  int order_;
  bool packed_;
  int width_;
  int bucket_bits_;
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

// The tags (without their buckets) of every piece of the list, in the order of the buckets.
class Pieces {
 public:
  Pieces(const Tags& tags, std::size_t count)
      : count_(count),
        buckets_(tags.buckets()),
        tags_(std::make_unique_for_overwrite<std::uint32_t[]>(count)),
        starts_(pieces() * (buckets_ + 1)) {
    prefer_huge_pages(tags_.get(), count * sizeof(std::uint32_t));
#pragma omp parallel
    {
      std::vector<std::uint64_t> scratch(std::min(kPieceEntries, count));
#pragma omp for schedule(dynamic)
      for (std::size_t piece = 0; piece < pieces(); ++piece) sort(piece, tags, scratch);
    }
  }

  std::size_t pieces() const {
    return (count_ + kPieceEntries - 1) / kPieceEntries;
  }
  std::size_t buckets() const {
    return buckets_;
  }

  // Calls visit(tag) for every tag of a bucket.
  template <class Visit>
  void for_each(std::size_t bucket, Visit&& visit) const {
    for (std::size_t piece = 0; piece < pieces(); ++piece) {
      const std::uint32_t* const tags = tags_.get() + piece * kPieceEntries;
      const std::uint32_t* const start = starts_.data() + piece * (buckets_ + 1) + bucket;
      for (std::uint32_t i = start[0]; i < start[1]; ++i) visit(tags[i]);
    }
  }

  std::size_t size(std::size_t bucket) const {
    std::size_t size = 0;
    for (std::size_t piece = 0; piece < pieces(); ++piece) {
      const std::uint32_t* const start = starts_.data() + piece * (buckets_ + 1) + bucket;
      size += start[1] - start[0];
    }
    return size;
  }

 private:
  // A counting sort: starts[b + 1] advances from the start of bucket b to its end while tags are written.
  void sort(std::size_t piece, const Tags& tags, std::span<std::uint64_t> scratch) {
    const std::size_t first = piece * kPieceEntries, last = std::min(first + kPieceEntries, count_);
    std::uint32_t* const sorted = tags_.get() + first;
    std::uint32_t* const starts = starts_.data() + piece * (buckets_ + 1);
    std::vector<std::uint32_t> counts(buckets_);
    tags.for_each(first, last, [&](std::size_t entry, std::uint64_t tag) {
      scratch[entry - first] = tag;
      ++counts[tag >> kTagBits];
    });
    for (std::size_t bucket = 1; bucket < buckets_; ++bucket)
      starts[bucket + 1] = starts[bucket] + counts[bucket - 1];
    for (std::uint64_t tag : scratch.first(last - first))
      sorted[starts[(tag >> kTagBits) + 1]++] = static_cast<std::uint32_t>(tag);
  }

  std::size_t count_;
  std::size_t buckets_;
  std::unique_ptr<std::uint32_t[]> tags_;
  std::vector<std::uint32_t> starts_;  // for every piece, of all buckets, and the end of the last bucket
};

// A set of tags with false positives: one bit for all tags that agree in their lower bits.
class Bitmap {
 public:
  void clear(std::size_t bits) {  // a power of two
    words_.assign(std::max<std::size_t>(bits / 64, 1), 0);
    mask_ = words_.size() - 1;
  }
  bool has(std::uint64_t tag) const { return words_[tag / 64 & mask_] >> tag % 64 & 1; }
  void add(std::uint64_t tag) { words_[tag / 64 & mask_] |= std::uint64_t{1} << tag % 64; }

 private:
  std::vector<std::uint64_t> words_;
  std::uint64_t mask_ = 0;
};

// Adds the tags that occur more than once in the bucket. Most tags have a bit of their own; the others are
// sorted.
class BucketSearch {
 public:
  void find(const Pieces& pieces, std::size_t bucket, std::vector<std::uint64_t>& repeated) {
    const std::size_t bits = std::bit_ceil(32 * pieces.size(bucket));
    seen_.clear(bits);
    again_.clear(bits);
    pieces.for_each(bucket, [&](std::uint32_t tag) {
      if (seen_.has(tag)) again_.add(tag);
      seen_.add(tag);
    });
    candidates_.clear();
    pieces.for_each(bucket, [&](std::uint32_t tag) {
      if (again_.has(tag)) candidates_.push_back(tag);
    });
    std::sort(candidates_.begin(), candidates_.end());
    for (std::size_t i = 1; i < candidates_.size(); ++i)
      if (candidates_[i] == candidates_[i - 1] && (i == 1 || candidates_[i] != candidates_[i - 2]))
        repeated.push_back(std::uint64_t{bucket} << kTagBits | candidates_[i]);
  }

 private:
  Bitmap seen_, again_;
  std::vector<std::uint32_t> candidates_;
};

// The tags that occur more than once, sorted.
std::vector<std::uint64_t> repeated_tags(const Pieces& pieces) {
  std::vector<std::uint64_t> repeated;
#pragma omp parallel
  {
    BucketSearch search;
    std::vector<std::uint64_t> own;
#pragma omp for schedule(dynamic, 16)
    for (std::size_t bucket = 0; bucket < pieces.buckets(); ++bucket) search.find(pieces, bucket, own);
#pragma omp critical
    repeated.insert(repeated.end(), own.begin(), own.end());
  }
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

// Compares the cells of entries with suspect tags, in the order of the list.
class Confirmation {
 public:
  Confirmation(const Cells& cells, const Tags& tags, const std::vector<std::uint64_t>& suspects)
      : cells_(cells), tags_(tags), suspects_(suspects) {
    filter_.clear(std::bit_ceil(32 * suspects.size()));
    for (std::uint64_t tag : suspects) filter_.add(tag);
  }

  // The first entry that repeats an earlier one. Several pieces at a time are filtered in parallel.
  std::optional<std::pair<std::size_t, std::size_t>> first() {
    constexpr std::size_t kPieces = 16;
    std::array<std::vector<Suspect>, kPieces> found;
    for (std::size_t start = 0; start < cells_.size(); start += kPieces * kPieceEntries) {
#pragma omp parallel for schedule(dynamic)
      for (std::size_t piece = 0; piece < kPieces; ++piece)
        found[piece] = suspects_from(start + piece * kPieceEntries);
      for (const auto& suspects : found)
        for (const Suspect& suspect : suspects)
          if (const auto earlier = twin_of(suspect)) return std::pair(*earlier, suspect.entry);
    }
    return {};
  }

 private:
  struct Suspect {
    std::size_t entry;
    std::uint64_t tag;
  };

  std::vector<Suspect> suspects_from(std::size_t first) const {
    std::vector<Suspect> found;
    tags_.for_each(first, std::min(first + kPieceEntries, cells_.size()),
                   [&](std::size_t entry, std::uint64_t tag) {
                     if (filter_.has(tag) && std::binary_search(suspects_.begin(), suspects_.end(), tag))
                       found.push_back({entry, tag});
                   });
    return found;
  }

  std::optional<std::size_t> twin_of(const Suspect& suspect) {
    const auto [begin, end] = earlier_.equal_range(suspect.tag);
    for (auto other = begin; other != end; ++other)
      if (cells_.cell(other->second) == cells_.cell(suspect.entry)) return other->second;
    earlier_.emplace(suspect.tag, suspect.entry);
    return {};
  }

  const Cells& cells_;
  const Tags& tags_;
  const std::vector<std::uint64_t>& suspects_;
  Bitmap filter_;
  std::unordered_multimap<std::uint64_t, std::size_t> earlier_;  // different cells by tag
};

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> first_duplicate(const Cells& cells) {
  if (strictly_sorted(cells)) return {};
  const Tags tags(cells);
  const auto suspects = repeated_tags(Pieces(tags, cells.size()));
  if (suspects.empty()) return {};
  return Confirmation(cells, tags, suspects).first();
}

}  // namespace tulle
