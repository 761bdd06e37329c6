#include "multiplicative.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kChunks = 32;  // of the cells

// The cells {a <= b <= c} of one b and c; `both` is N w_k p_bk p_ck.
TULLE_MULTIARCH void add_cells(const double* topics, std::size_t count, std::size_t b, std::size_t c,
                               const double* both, const double* counts, double noise_variance, double* found,
                               double* expected, double* found_here, double* expected_here, double* part) {
  for (std::size_t a = 0; a <= b; ++a) {
    const double orders = orders_of(a, b, c);
    const double* const row = topics + a * count;
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) {
      part[k] = orders * both[k] * row[k];
      total += part[k];
    }
    const double precision = 1 / (noise_variance + std::max(total, kLeastCount));
    const double up = precision * counts[a], down = precision * total;
    double* const found_a = found + a * count;
    double* const expected_a = expected + a * count;
    for (std::size_t k = 0; k < count; ++k) {
      found_a[k] += up * part[k];
      expected_a[k] += down * part[k];
      found_here[k] += up * part[k];
      expected_here[k] += down * part[k];
    }
  }
}

class Refinement {
 public:
  Refinement(Topics start, const TripleCounts& data) : model_(std::move(start)), data_(data) {
    make_positive(model_);
  }

  double step() { return update(model_, all_sums()); }

  Topics take() { return std::move(model_); }

 private:
  // Chunks hold about as many cells each, and are added up in order.
  UpdateSums all_sums() const {
    const auto words = static_cast<std::size_t>(model_.topics.rows());
    const std::size_t chunks = triple_cells(words) > kWorthThreads ? kChunks : 1;
    std::vector<UpdateSums> parts(chunks, UpdateSums(model_.topics));
#pragma omp parallel for schedule(dynamic) if (chunks > 1)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const auto edge = [&](std::size_t number) {
        return static_cast<std::size_t>(
            std::round(static_cast<double>(words) *
                       std::cbrt(static_cast<double>(number) / static_cast<double>(chunks))));
      };
      for (std::size_t c = edge(chunk); c < edge(chunk + 1); ++c) add_word(c, parts[chunk]);
    }
    UpdateSums total = std::move(parts[0]);
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
      total.found += parts[chunk].found;
      total.expected += parts[chunk].expected;
    }
    return total;
  }

  void add_word(std::size_t c, UpdateSums& sums) const {
    const Matrix& topics = model_.topics;
    const auto count = static_cast<std::size_t>(topics.cols());
    Vector part(topics.cols());
    for (std::size_t b = 0; b <= c; ++b) {
      const Vector both = data_.documents * model_.weights.array() * topics.row(b).transpose().array() *
                          topics.row(c).transpose().array();
      Vector found = Vector::Zero(topics.cols()), expected = found;
      add_cells(topics.data(), count, b, c, both.data(), data_.counts.data() + triple_cell(0, b, c),
                data_.noise_variance, sums.found.data(), sums.expected.data(), found.data(), expected.data(),
                part.data());
      for (std::size_t word : {b, c}) {
        sums.found.row(word) += found;
        sums.expected.row(word) += expected;
      }
    }
  }

  Topics model_;
  TripleCounts data_;
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
