#include "multiplicative.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/lanes.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/tensor/panel.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// The cells are divided into chunks with separate sums.
constexpr std::size_t kMostChunks = 32, kNumbersOfAChunk = std::size_t{1} << 15;
constexpr std::size_t kPairWork = 2;  // overhead of a pair of words, in cells

// UpdateSums with rows padded to whole lanes, like those of the topics.
struct PaddedSums {
  Panel found, expected;

  PaddedSums(std::size_t words, int topics) : found(words, topics), expected(words, topics) {}

  void clear() {
    found.clear();
    expected.clear();
  }
};

void add_panel(const Panel& more, Panel& sum) {
  const std::size_t numbers = sum.rows() * static_cast<std::size_t>(sum.stride());
  for (std::size_t n = 0; n < numbers; ++n) sum.data()[n] += more.data()[n];
}

// Cells {a <= b <= c} of one b and c: a topic adds orders_of(a, b, c) both_k p_ak to the expected count of a
// cell, where `both` is N w_k p_bk p_ck.
struct CellsOfPair {
  std::size_t b, c;
  const double* both;
  const double* counts;  // by a
};

// The weights of such a contribution: the cell's precision times its count, or times its expected count.
struct CellWeights {
  std::vector<double> found, expected;  // by a
};

inline __attribute__((always_inline)) void weigh_cells(const Panel& topics, const CellsOfPair& cells,
                                                       double noise_variance, CellWeights& weights) {
  for (std::size_t a = 0; a <= cells.b; ++a) {
    Lane sum = {};
    for (int k = 0; k < topics.stride(); k += kLane)
      sum += *lanes(cells.both + k) * *lanes(topics.row(a) + k);
    const double orders = orders_of(a, cells.b, cells.c), total = orders * (sum[0] + sum[1]);
    const double precision = orders / (noise_variance + std::max(total, kLeastCount));
    weights.found[a] = precision * cells.counts[a];
    weights.expected[a] = precision * total;
  }
}

// Adds Lanes lanes of topics from topic k on, keeping the sums for the rows of b and c in registers.
template <int Lanes>
inline __attribute__((always_inline)) void add_topics(const Panel& topics, int k, const CellsOfPair& cells,
                                                      const CellWeights& weights, PaddedSums& sums) {
  Lane both[Lanes], found[Lanes] = {}, expected[Lanes] = {};
  for (int l = 0; l < Lanes; ++l) both[l] = lanes(cells.both + k)[l];
  for (std::size_t a = 0; a <= cells.b; ++a) {
    const double up = weights.found[a], down = weights.expected[a];
    for (int l = 0; l < Lanes; ++l) {
      const Lane part = both[l] * lanes(topics.row(a) + k)[l];
      lanes(sums.found.row(a) + k)[l] += up * part;
      lanes(sums.expected.row(a) + k)[l] += down * part;
      found[l] += up * part;
      expected[l] += down * part;
    }
  }
  for (std::size_t word : {cells.b, cells.c})
    for (int l = 0; l < Lanes; ++l) {
      lanes(sums.found.row(word) + k)[l] += found[l];
      lanes(sums.expected.row(word) + k)[l] += expected[l];
    }
}

TULLE_MULTIARCH void add_cells(const Panel& topics, const CellsOfPair& cells, double noise_variance,
                               CellWeights& weights, PaddedSums& sums) {
  weigh_cells(topics, cells, noise_variance, weights);
  int k = 0;
  for (; k + 8 <= topics.stride(); k += 8) add_topics<8 / kLane>(topics, k, cells, weights, sums);
  if (k < topics.stride()) add_topics<4 / kLane>(topics, k, cells, weights, sums);
}

class Refinement {
 public:
  Refinement(Topics start, const TripleCounts& data)
      : model_(std::move(start)), data_(data), topics_(model_.topics) {
    make_positive(model_);
    const auto words = static_cast<std::size_t>(model_.topics.rows());
    const std::size_t cells = triple_cells(words);
    const std::size_t chunks = std::clamp<std::size_t>(
        cells * static_cast<std::size_t>(model_.count()) / kNumbersOfAChunk, 1, kMostChunks);
    const std::size_t work = cells + kPairWork * pair_cells(words);
    for_each_pair(words, [&](std::size_t pair, std::size_t b, std::size_t c) {
      pairs_.push_back({b, c});
      const std::size_t done = triple_cell(b, b, c) + 1 + kPairWork * (pair + 1);
      if (done >= (ends_.size() + 1) * work / chunks) ends_.push_back(pair + 1);
    });
    parts_.assign(ends_.size(), PaddedSums(words, model_.count()));
  }

  double step() { return update(model_, all_sums()); }

  Topics take() { return std::move(model_); }

 private:
  // Chunks take about equal time, and their sums are added up in order.
  UpdateSums all_sums() {
    topics_.assign(model_.topics);
    const std::size_t chunks = ends_.size();
#pragma omp parallel for schedule(dynamic) if (chunks > 1)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
      sum_pairs(chunk == 0 ? 0 : ends_[chunk - 1], ends_[chunk], parts_[chunk]);
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
      add_panel(parts_[chunk].found, parts_[0].found);
      add_panel(parts_[chunk].expected, parts_[0].expected);
    }
    UpdateSums sums(parts_[0].found.matrix(), parts_[0].expected.matrix());
    add(data_.prior, model_.topics, sums);
    return sums;
  }

  // Sums over all cells of the pairs {b <= c} from `first` to before `end`.
  void sum_pairs(std::size_t first, std::size_t end, PaddedSums& sums) const {
    sums.clear();
    Panel both(1, topics_.columns());
    CellWeights weights{std::vector<double>(topics_.rows()), std::vector<double>(topics_.rows())};
    for (std::size_t pair = first; pair < end; ++pair) {
      const auto [b, c] = pairs_[pair];
      for (int k = 0; k < topics_.columns(); ++k)
        both.data()[k] = data_.documents * model_.weights[k] * topics_.row(b)[k] * topics_.row(c)[k];
      add_cells(topics_, {b, c, both.data(), data_.counts.data() + triple_cell(0, b, c)},
                data_.noise_variance, weights, sums);
    }
  }

  struct WordPair {
    std::size_t b, c;
  };

  Topics model_;
  TripleCounts data_;
  Panel topics_;                   // of the model
  std::vector<WordPair> pairs_;    // {b <= c}, in the order of their cells
  std::vector<std::size_t> ends_;  // of the chunks, in pairs
  std::vector<PaddedSums> parts_;  // of the chunks
};

}  // namespace

Topics refine(Topics start, const TripleCounts& data, const RefineOptions& options) {
  if (data.counts.size() != triple_cells(static_cast<std::size_t>(start.topics.rows())))
    fail("refining topics: {} counts of triples for {} words", data.counts.size(), start.topics.rows());
  Refinement refinement(std::move(start), data);
  for (int iteration = 0; iteration < options.max_iterations; ++iteration)
    if (refinement.step() < options.tolerance) break;
  return refinement.take();
}

}  // namespace tulle
