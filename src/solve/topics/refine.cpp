#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/solve/topics/refine.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr double kLeastProbability = 1e-9;  // updates only multiply: from 0 nothing comes back
constexpr double kLeastWeight = 1e-3;       // of a topic at the start
constexpr double kLeastCount = 0.5;         // a variance of an expected count; keeps empty cells in bounds
constexpr std::size_t kChunks = 32;         // of the cells

// With v = 1 / variance: the sums of v count R and v expected R over the cells of every word, where R is what
// a topic adds to the expected count.
struct Sums {
  Matrix found, expected;

  explicit Sums(const Matrix& topics) : found(Matrix::Zero(topics.rows(), topics.cols())), expected(found) {}
};

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
    Matrix& topics = model_.topics;
    topics = topics.cwiseMax(kLeastProbability);
    topics *= topics.colwise().sum().cwiseInverse().asDiagonal();
    model_.weights = model_.weights.cwiseMax(kLeastWeight);
    model_.weights /= model_.weights.sum();
  }

  // The square root is the step of multiplicative updates that does not overshoot when a number enters the
  // model more than once. Answers with the largest relative change.
  double step() {
    const Sums sums = all_sums();
    const Matrix before = model_.topics;
    Matrix& topics = model_.topics;
    topics.array() *= ratio(sums.found, sums.expected);
    topics = topics.cwiseMax(kLeastProbability);
    topics *= topics.colwise().sum().cwiseInverse().asDiagonal();
    // Every cell was counted for each of its three words.
    model_.weights.array() *=
        ratio(sums.found.colwise().sum().transpose(), sums.expected.colwise().sum().transpose()).array();
    model_.weights = model_.weights.cwiseMax(kLeastProbability);
    model_.weights /= model_.weights.sum();
    return ((topics - before).cwiseAbs().colwise().maxCoeff().array() / topics.colwise().maxCoeff().array())
        .maxCoeff();
  }

  Topics take() { return std::move(model_); }

 private:
  template <class Found, class Expected>
  static Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> ratio(
      const Found& found, const Expected& expected) {
    return (found.array().max(0) / expected.array().max(1e-300)).sqrt();
  }

  // Chunks hold about as many cells each, and are added up in order.
  Sums all_sums() const {
    const auto words = static_cast<std::size_t>(model_.topics.rows());
    const std::size_t chunks = triple_cells(words) > kWorthThreads ? kChunks : 1;
    std::vector<Sums> parts(chunks, Sums(model_.topics));
#pragma omp parallel for schedule(dynamic) if (chunks > 1)
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
      const auto edge = [&](std::size_t number) {
        return static_cast<std::size_t>(
            std::round(static_cast<double>(words) *
                       std::cbrt(static_cast<double>(number) / static_cast<double>(chunks))));
      };
      for (std::size_t c = edge(chunk); c < edge(chunk + 1); ++c) add_word(c, parts[chunk]);
    }
    Sums total = std::move(parts[0]);
    for (std::size_t chunk = 1; chunk < chunks; ++chunk) {
      total.found += parts[chunk].found;
      total.expected += parts[chunk].expected;
    }
    return total;
  }

  void add_word(std::size_t c, Sums& sums) const {
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
