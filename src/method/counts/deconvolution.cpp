// Values are put on a lattice, expected numbers on nodes in between which all is linear; so the time hardly
// depends on how many values there are. Lengths are in standard deviations of the noise, or in events where
// that is less than one.
#include "deconvolution.hpp"

#include <tulle/base/gamma.hpp>
#include <tulle/tensor/matrix.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace tulle {
namespace {

// ---- The kinds of counts ----

// Of mean z m and variance z m + kappa (z m)^2 where m are expected.
struct Kind {
  double z, kappa, weight;  // the weight before any value is seen
};
// Counts that have nothing to do with what is expected, of any size: values far from it are not all noise.
constexpr double kAnySize = std::numeric_limits<double>::infinity();

constexpr double kPriorValues = 10;  // that the weights before count as
constexpr std::array kKappas = {0.0, 0.01, 0.04, 0.12, 1.0};

std::vector<Kind> kinds_of_counts() {
  std::vector<Kind> kinds = {{0, 0, 0.05}, {1, 0, 0.2}, {1, 0.01, 0.1}, {1, 0.04, 0.1}};
  constexpr double kWeightOfScales = 0.54;
  double sum = 0;
  const std::size_t first = kinds.size();
  for (int j = -8; j <= 8; ++j) {
    const double log_z = j / 2.0 * std::log(2.0);
    kinds.push_back({std::exp(log_z), 0.12, std::exp(-log_z * log_z / 2)});
    sum += kinds.back().weight;
  }
  for (std::size_t i = first; i < kinds.size(); ++i) kinds[i].weight *= kWeightOfScales / sum;
  kinds.push_back({32, 1, 0.005});
  kinds.push_back({128, 1, 0.005});
  kinds.push_back({1, kAnySize, 0.0005});
  return kinds;
}

// ---- The lattices ----

// Noisy values from -below to top, and counts from 0 to top, both in steps.
struct Lattice {
  Lattice(double unit, double largest)
      : step(std::max(1.0, std::floor(unit / 5))),
        below(static_cast<Eigen::Index>(std::ceil(12 * unit / step))),
        top(static_cast<Eigen::Index>(std::min(256 * unit, std::max(largest, 0.0) + 8 * unit) / step) + 2) {}

  Eigen::Index size() const { return below + top; }
  double last() const { return (static_cast<double>(size()) - 1.001 - static_cast<double>(below)) * step; }

  double step;
  Eigen::Index below, top;
};

// Where a number lies between two points.
struct Between {
  Eigen::Index lower;
  double share;  // of the upper one
};

Between between(double place, Eigen::Index points) {
  const double inside = std::clamp(place, 0.0, static_cast<double>(points) - 1.001);
  const auto lower = static_cast<Eigen::Index>(inside);
  return {lower, inside - static_cast<double>(lower)};
}

Between place_of(double noisy, const Lattice& lattice) {
  return between(noisy / lattice.step + static_cast<double>(lattice.below), lattice.size());
}

// Expected numbers: equally far apart where they are below the noise, by equal factors above.
class Nodes {
 public:
  explicit Nodes(double unit) : low_(0.02 * unit) {}

  Between place_of(double expected) const {
    const auto node = static_cast<Eigen::Index>(std::log1p(expected / low_) / kSpacing);
    const double share = (expected - edge(node)) / (edge(node + 1) - edge(node));
    return {node, std::clamp(share, 0.0, 1.0)};
  }
  double expected(Eigen::Index node) const { return node == 0 ? low_ / 20 : edge(node); }

 private:
  static constexpr double kSpacing = 0.3;
  double edge(Eigen::Index node) const { return low_ * std::expm1(kSpacing * static_cast<double>(node)); }
  double low_;
};

// ---- Masses of counts on a lattice ----

class Masses {
 public:
  Masses(const Lattice& lattice, double unit) : lattice_(lattice), any_size_(lattice.top) {
    for (Eigen::Index i = 0; i < lattice.top; ++i) any_size_[i] = 1 / ((unit + count(i)) * (unit + count(i)));
    any_size_ /= any_size_.sum();
    for (const double kappa : kKappas) {
      Vector terms(lattice.top);
      for (Eigen::Index i = 0; i < lattice.top; ++i) {
        const double k = count(i);
        terms[i] = -log_gamma(k + 1);
        if (kappa > 0) terms[i] += log_gamma(k + 1 / kappa) - log_gamma(1 / kappa);
      }
      terms_.push_back(std::move(terms));
    }
  }

  double count(Eigen::Index i) const { return static_cast<double>(i) * lattice_.step; }

  // Poisson or negative binomial, or the second power of one over the count.
  Vector of(double mean, double kappa) const {
    if (kappa == kAnySize) return any_size_;
    if (mean < 1e-12) return Vector::Unit(lattice_.top, 0);
    const double variance = mean + kappa * mean * mean;
    if (lattice_.step > 1 && std::sqrt(variance) < 1.5 * lattice_.step) return two_points(mean, variance);
    const auto known = std::ranges::find(kKappas, kappa) - kKappas.begin();
    const double size = 1 / kappa;
    const double rate = kappa > 0 ? std::log(mean / (size + mean)) : std::log(mean);
    Vector masses = terms_[static_cast<std::size_t>(known)];
    for (Eigen::Index i = 0; i < masses.size(); ++i) masses[i] += count(i) * rate;
    masses = (masses.array() - masses.maxCoeff()).exp();
    return masses / masses.sum();
  }

 private:
  // Narrower than the lattice: two points of the same mean and variance.
  Vector two_points(double mean, double variance) const {
    Vector masses = Vector::Zero(lattice_.top);
    const double stddev = std::sqrt(variance);
    if (mean > stddev) {
      add(masses, mean - stddev, 0.5);
      add(masses, mean + stddev, 0.5);
    } else {
      const double none = variance / (variance + mean * mean);
      add(masses, 0, none);
      add(masses, mean / (1 - none), 1 - none);
    }
    return masses;
  }

  void add(Vector& masses, double at, double mass) const {
    const Between place = between(at / lattice_.step, lattice_.top);
    masses[place.lower] += mass * (1 - place.share);
    masses[place.lower + 1] += mass * place.share;
  }

  const Lattice& lattice_;
  Vector any_size_;
  std::vector<Vector> terms_;  // for each of kKappas
};

// ---- Noise on the lattice ----

class Blur {
 public:
  Blur(const Lattice& lattice, const NoiseLaw& noise) : lattice_(lattice) {
    if (noise.laplace) {
      decay_ = std::exp(-std::sqrt(2 / noise.variance) * lattice.step);
      return;
    }
    const auto reach = static_cast<Eigen::Index>(8 * std::sqrt(noise.variance) / lattice.step) + 1;
    kernel_.resize(2 * reach + 1);
    for (Eigen::Index i = 0; i < kernel_.size(); ++i) {
      const double away = static_cast<double>(i - reach) * lattice.step;
      kernel_[i] = std::exp(-away * away / (2 * noise.variance));
    }
    kernel_ /= kernel_.sum();
  }

  // The likelihood of noisy values on the lattice.
  Vector operator()(const Vector& masses) const {
    return kernel_.size() == 0 ? laplace(masses) : normal(masses);
  }

 private:
  Vector laplace(const Vector& masses) const {
    Vector given = Vector::Zero(lattice_.size());
    given.segment(lattice_.below, masses.size()) = masses;
    Vector blurred = -given;
    double from_below = 0, from_above = 0;
    for (Eigen::Index i = 0; i < given.size(); ++i) blurred[i] += from_below = given[i] + decay_ * from_below;
    for (Eigen::Index i = given.size() - 1; i >= 0; --i)
      blurred[i] += from_above = given[i] + decay_ * from_above;
    return blurred * ((1 - decay_) / (1 + decay_));
  }

  Vector normal(const Vector& masses) const {
    const Eigen::Index reach = kernel_.size() / 2, size = lattice_.size();
    Vector padded = Vector::Zero(size + 2 * reach);
    for (Eigen::Index i = 0; i < masses.size(); ++i)
      padded.segment(lattice_.below + i, kernel_.size()) += masses[i] * kernel_;
    return padded.segment(reach, size).cwiseMax(1e-280);
  }

  const Lattice& lattice_;
  double decay_ = 0;
  Vector kernel_;  // of normal noise
};

// ---- Weights of the kinds, and posteriors ----

// A node: the values near it, by place on the lattice, and how likely each kind makes them.
struct Node {
  double expected = 0;
  bool used = false;
  Vector histogram;
  Matrix masses;       // kinds x counts
  Matrix likelihoods;  // kinds x values that occur
  Vector times;        // how often these occur
};

Vector em(std::span<const Node* const> nodes, const Vector& before) {
  constexpr int kRounds = 40;
  Vector weights = before;
  for (int round = 0; round < kRounds; ++round) {
    Vector next = kPriorValues * before;
    for (const Node* node : nodes) {
      const Vector total = (node->likelihoods.transpose() * weights).cwiseMax(1e-300);
      next += weights.cwiseProduct(node->likelihoods * node->times.cwiseQuotient(total));
    }
    weights = next / next.sum();
  }
  return weights;
}

class Deconvolution {
 public:
  Deconvolution(std::span<const double> expected, std::span<const double> noisy, const NoiseLaw& noise)
      : expected_(expected),
        noisy_(noisy),
        noise_(noise),
        kinds_(kinds_of_counts()),
        unit_(std::max(std::sqrt(noise.variance), 1.0)),
        lattice_(unit_, *std::ranges::max_element(noisy)),
        nodes_at_(unit_) {
    place_values();
    describe_nodes();
  }

  PosteriorCounts run() {
    Vector start(std::ssize(kinds_));
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind)
      start[static_cast<Eigen::Index>(kind)] = kinds_[kind].weight;
    start /= start.sum();
    const std::vector<std::vector<const Node*>> classes = classes_of_nodes();
    std::vector<const Node*> all;
    for (const auto& each : classes) all.insert(all.end(), each.begin(), each.end());
    const Vector pooled = classes.size() > 1 ? em(all, start) : start;
    means_ = Matrix::Zero(std::ssize(nodes_), lattice_.size());
    variances_ = means_;
    for (const auto& each : classes) {
      const Vector weights = em(each, pooled);
      for (const Node* node : each) tabulate(*node, weights);
    }
    return looked_up();
  }

 private:
  void place_values() {
    std::vector<Between> places;
    for (const double each : expected_) places.push_back(nodes_at_.place_of(each));
    Eigen::Index last = 0;
    for (const Between& place : places) last = std::max(last, place.lower + 1);
    nodes_.resize(static_cast<std::size_t>(last) + 1);
    for (Node& node : nodes_) node.histogram = Vector::Zero(lattice_.size());
    for (std::size_t cell = 0; cell < places.size(); ++cell) {
      const auto lower = static_cast<std::size_t>(places[cell].lower);
      nodes_[lower].used = nodes_[lower + 1].used = true;
      Vector& histogram = nodes_[places[cell].share > 0.5 ? lower + 1 : lower].histogram;
      const Between value = place_of(noisy_[cell], lattice_);
      histogram[value.lower] += 1 - value.share;
      histogram[value.lower + 1] += value.share;
    }
  }

  void describe_nodes() {
    const Masses masses(lattice_, unit_);
    const Blur blur(lattice_, noise_);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      Node& node = nodes_[i];
      if (!node.used) continue;
      node.expected = nodes_at_.expected(static_cast<Eigen::Index>(i));
      std::vector<Eigen::Index> occurring;
      for (Eigen::Index at = 0; at < node.histogram.size(); ++at)
        if (node.histogram[at] > 0) occurring.push_back(at);
      node.times = node.histogram(occurring);
      node.masses.resize(std::ssize(kinds_), lattice_.top);
      node.likelihoods.resize(std::ssize(kinds_), std::ssize(occurring));
      for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
        const auto row = static_cast<Eigen::Index>(kind);
        const Vector of_kind = masses.of(kinds_[kind].z * node.expected, kinds_[kind].kappa);
        node.masses.row(row) = of_kind;
        if (!occurring.empty()) node.likelihoods.row(row) = blur(of_kind)(occurring);
      }
    }
  }

  // Neighbouring nodes that have values enough between them to tell weights apart.
  std::vector<std::vector<const Node*>> classes_of_nodes() const {
    constexpr double kLeastValues = 200;
    std::vector<std::vector<const Node*>> classes;
    std::vector<const Node*> open;
    double values = 0;
    for (const Node& node : nodes_) {
      if (!node.used) continue;
      open.push_back(&node);
      values += node.times.sum();
      if (values < kLeastValues) continue;
      classes.push_back(std::exchange(open, {}));
      values = 0;
    }
    if (!open.empty() && classes.empty()) return {open};
    if (!open.empty()) classes.back().insert(classes.back().end(), open.begin(), open.end());
    return classes;
  }

  void tabulate(const Node& node, const Vector& weights) {
    const Blur blur(lattice_, noise_);
    const Vector masses = node.masses.transpose() * weights;
    const Vector counts =
        lattice_.step * Vector::LinSpaced(lattice_.top, 0, static_cast<double>(lattice_.top - 1));
    const Vector once = blur(masses).cwiseMax(1e-280);
    const Vector first = blur(masses.cwiseProduct(counts)).cwiseQuotient(once);
    const Vector second = blur(masses.cwiseProduct(counts.cwiseAbs2())).cwiseQuotient(once);
    const double largest = counts[counts.size() - 1];
    const auto row = &node - nodes_.data();
    means_.row(row) = first.cwiseMin(largest);
    variances_.row(row) = (second.array() - means_.row(row).transpose().array().square())
                              .max(0)
                              .min(noise_.variance + largest * largest);
  }

  PosteriorCounts looked_up() const {
    PosteriorCounts posterior;
    for (std::size_t cell = 0; cell < noisy_.size(); ++cell) {
      const Between node = nodes_at_.place_of(expected_[cell]), value = place_of(noisy_[cell], lattice_);
      const auto look = [&](const Matrix& table) {
        const auto on_row = [&](Eigen::Index row) {
          return table(row, value.lower) * (1 - value.share) + table(row, value.lower + 1) * value.share;
        };
        return on_row(node.lower) * (1 - node.share) + on_row(node.lower + 1) * node.share;
      };
      posterior.means.push_back(look(means_) + std::max(0.0, noisy_[cell] - lattice_.last()));
      posterior.variances.push_back(look(variances_));
    }
    return posterior;
  }

  std::span<const double> expected_, noisy_;
  NoiseLaw noise_;
  std::vector<Kind> kinds_;
  double unit_;
  Lattice lattice_;
  Nodes nodes_at_;
  std::vector<Node> nodes_;
  Matrix means_, variances_;  // nodes x noisy values
};

// ---- Far above the noise ----

// kappa of counts with variance m + kappa m^2 around what is expected, by moments weighted by precision; one
// more count with kappa 1 counts among them.
double dispersion(std::span<const std::size_t> cells, std::span<const double> expected,
                  std::span<const double> noisy, double noise) {
  constexpr int kRounds = 4;
  const auto count = static_cast<double>(cells.size());
  double kappa = 0;
  for (int round = 0; round < kRounds; ++round) {
    double excess = 0, squares = 0;
    for (const std::size_t cell : cells) {
      const double m = expected[cell], away = noisy[cell] - m;
      const double stddev = noise + m + kappa * m * m;
      const double weight = (round == 0 ? 1 : m * m) / (stddev * stddev);
      excess += weight * (away * away - noise - m);
      squares += weight * m * m;
    }
    kappa = std::max(0.0, (excess + squares / count) / (squares + squares / count));
  }
  return kappa;
}

// Posterior under a normal prior, in classes of about equal expectation.
void add_linear(std::vector<std::size_t> cells, std::span<const double> expected,
                std::span<const double> noisy, double noise, PosteriorCounts& posterior) {
  constexpr std::size_t kMostClasses = 8, kLeastCells = 50;
  std::ranges::stable_sort(cells, {}, [&](std::size_t cell) { return expected[cell]; });
  const std::size_t classes = std::clamp<std::size_t>(cells.size() / kLeastCells, 1, kMostClasses);
  for (std::size_t i = 0; i < classes; ++i) {
    const std::size_t begin = cells.size() * i / classes, end = cells.size() * (i + 1) / classes;
    const auto part = std::span(cells).subspan(begin, end - begin);
    const double kappa = dispersion(part, expected, noisy, noise);
    for (const std::size_t cell : part) {
      const double m = expected[cell], prior = m + kappa * m * m;
      posterior.means[cell] = m + prior / (prior + noise) * (noisy[cell] - m);
      posterior.variances[cell] = prior * noise / (prior + noise);
    }
  }
}

std::vector<double> chosen(std::span<const double> numbers, const std::vector<std::size_t>& cells) {
  std::vector<double> some;
  for (const std::size_t cell : cells) some.push_back(numbers[cell]);
  return some;
}

void add_deconvolved(const std::vector<std::size_t>& cells, const std::vector<double>& expected,
                     std::span<const double> noisy, const NoiseLaw& noise, PosteriorCounts& posterior) {
  const std::vector<double> values = chosen(noisy, cells);
  const PosteriorCounts found = Deconvolution(expected, values, noise).run();
  for (std::size_t i = 0; i < cells.size(); ++i) {
    posterior.means[cells[i]] = found.means[i];
    posterior.variances[cells[i]] = found.variances[i];
  }
}

}  // namespace

PosteriorCounts posterior_of_counts(std::span<const double> expected, std::span<const double> noisy,
                                    const NoiseLaw& noise) {
  constexpr double kNoNoise = 1e-9, kFarAbove = 16;
  PosteriorCounts posterior{std::vector<double>(noisy.size()), std::vector<double>(noisy.size())};
  if (noise.variance < kNoNoise) {
    std::ranges::transform(noisy, posterior.means.begin(), [](double value) { return std::max(0.0, value); });
    return posterior;
  }
  const double unit = std::max(std::sqrt(noise.variance), 1.0);
  std::vector<std::size_t> high, low, empty;
  for (std::size_t cell = 0; cell < noisy.size(); ++cell)
    (expected[cell] <= kFarAbove * unit   ? low
     : noisy[cell] < kFarAbove / 2 * unit ? empty
                                          : high)
        .push_back(cell);
  if (!high.empty()) add_linear(high, expected, noisy, noise.variance, posterior);
  if (!low.empty()) add_deconvolved(low, chosen(expected, low), noisy, noise, posterior);
  // Where many events are expected and hardly any are: kinds of counts of their own.
  const std::vector<double> many(empty.size(), kFarAbove * unit);
  if (!empty.empty()) add_deconvolved(empty, many, noisy, noise, posterior);
  return posterior;
}

}  // namespace tulle
