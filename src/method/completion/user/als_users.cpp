// Method als for users, joint privacy: sums over users of vectors of length 1 at most (Tulle; generalises
// Chien et al. 2021 and Krichene et al. 2023 to any number of modes).
//
// Unit, relation:  user (named mode), add-remove. Public: shape without the number of users, range, options.
// Releases:        1. per position of the shared modes, sums of a user's distances to her mean and of
//                  counts, and her mean and presence: her vector has L2 norm 1 at most after rounding to
//                  the grid (user_sums.cpp), so the sensitivity is 1. 2. (sweeps) normal equations of one
//                  shared mode after the other, the same bound; or, where the released number of users says
//                  that sweeps do not pay, release 1 again with the noise that was planned for them.
//                  Gaussian, planned together.
// Not released:    a user's own row, solved from her own cells and what was released; nobody but her sees
//                  it.
// After that free: offsets, popularity, the factors of the shared modes.
// Cost:            O(entries x rank^2) time per release, O(positions x rank^2) memory per thread.
#include "completion/als_forms.hpp"
#include "private_biases.hpp"
#include "release/gaussian_split.hpp"
#include "user_sums.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/sum_grid.hpp>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

// Found on held-out parts of MovieLens ua.base; the error is flat around them.
constexpr double kCountWeight = 0.5;                   // of counts beside values, in the vector of a user
constexpr double kLevelWeight = 0.1;                   // of her mean, and of her being there
constexpr double kLevelRidge = 6, kFeatureRidge = 20;  // of her own row
constexpr double kSpread = 0.85;                       // variance of values around offsets, in units
constexpr double kFirstShare = 0.4;                    // of the budget, for the offsets, when sweeps follow
constexpr int kSweptRank = 4, kSweeps = 8;

class UserAls {
 public:
  UserAls(const PrivateRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        shape_(request.data.shape()),
        users_(request.terms.user_mode),
        unit_(request.data.range().width() / 4),
        rank_(wanted_rank(request)),
        sweeps_(rank_ == 0 ? 0 : request.settings.get(setting::steps).value_or(kSweeps)),
        data_(request.data.observed().map(
            [this](const SparseTensor& observed) { return UserCells(observed, users_); })) {
    for (int mode = 0; mode < shape_.order(); ++mode)
      if (mode != users_) shared_.push_back(mode);
  }

  Completion run() {
    curator_.set_joint();
    plan();
    release_offsets();
    start_factors();
    for (int sweep = 0; sweep < sweeps_; ++sweep)
      for (std::size_t s = 0; s < shared_.size(); ++s) update(s);
    Completion completion{.model = shared_model(), .solver = "als", .converged = true};
    completion.with_user_rows = data_.map([&](const UserCells& data) { return Model(with_rows(data)); });
    completion.remarks.push_back(remark());
    return completion;
  }

 private:
  // Components to sweep for, unless it turns out that sweeps do not pay.
  static int wanted_rank(const PrivateRequest& request) {
    return request.settings.get(setting::steps) == 0 ? 0 : wanted_components(request).value_or(kSweptRank);
  }

  // What all users together can say of a number of a position must stand out of the noise on it. How many
  // users there are is private: this goes by the released count.
  bool sweeps_pay(double users) const {
    if (request_.settings.get(setting::steps)) return true;
    double positions = 0;
    for (int mode : shared_) positions += shape_[mode];
    const double mu = gaussian_mu_lower(request_.terms.budget.epsilon, request_.terms.budget.delta) *
                      std::sqrt(share_of_update());
    return users * mu >= 20 * rank_ * std::sqrt(positions);
  }

  double share_of_offsets() const { return sweeps_ == 0 ? 1 : kFirstShare; }
  double share_of_update() const {
    return (1 - kFirstShare) / (sweeps_ * static_cast<double>(shared_.size()));
  }

  // One user more or less adds or takes away one vector of length 1 at most.
  AdditiveNoise noise(double share, std::uint64_t numbers) const {
    return AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::user, request_.relation),
                                   gaussian_multiplier(request_.terms.budget, share), numbers);
  }

  std::uint64_t numbers_of_offsets() const {
    std::uint64_t numbers = 2;
    for (int mode : shared_) numbers += 2 * std::uint64_t{shape_[mode]};
    return numbers;
  }
  Eigen::Index numbers_of_row() const { return rank_ * (rank_ + 1) / 2 + rank_; }

  void plan() {
    std::vector<Event> events{noise(share_of_offsets(), numbers_of_offsets()).event()};
    for (int sweep = 0; sweep < sweeps_; ++sweep)
      for (int mode : shared_)
        events.push_back(noise(share_of_update(), shape_[mode] * numbers_of_row()).event());
    curator_.plan(events);
  }

  double centred(const SparseTensor& tensor, std::size_t cell) const {
    return request_.data.range().centred(tensor.values()[cell]) / unit_;
  }

  // ---- Stage 0: level, offsets, popularity ----

  double mean_of(const UserCells& data, std::span<const std::size_t> cells) const {
    double sum = 0;
    for (std::size_t cell : cells) sum += centred(data.tensor, cell);
    return std::clamp(sum / static_cast<double>(cells.size()), -2.0, 2.0);
  }

  // A user adds her (deviations from her own mean, 0.5), scaled to sqrt(1 - 2 a^2), and a (mean / 2, 1): a
  // vector of length 1 at most, since means lie in [-2, 2]. Rounding these two numbers to their grid adds
  // less than the first part is shortened by for its own.
  std::vector<double> offset_sums(const UserCells& data) const {
    const CellsByPosition& users = data.groups[users_];
    std::vector<double> means(users.positions());
    const SumGrid grid(kLevelWeight, request_.data.most_users());
    double mean = 0, there = 0;
    for (std::size_t u = 0; u < users.positions(); ++u) {
      if (users.count(u) == 0) continue;
      means[u] = mean_of(data, users.cells(u));
      mean += grid.round(kLevelWeight * means[u] / 2);
      there += grid.round(kLevelWeight);
    }
    std::vector<double> released = sums_of_equal_users(
        data, request_.data.most_users(), shared_, 2, std::sqrt(1 - 2 * kLevelWeight * kLevelWeight),
        [&](std::size_t cell, Vector& numbers) {
          numbers << centred(data.tensor, cell) - means[data.tensor.cells()(cell, users_)], kCountWeight;
        });
    released.push_back(mean);
    released.push_back(there);
    return released;
  }

  using OffsetSums = Protected<std::vector<double>>;

  Noisy release_sums(const OffsetSums& sums, double share) {
    return curator_.release(sums, noise(share, numbers_of_offsets()), "sums and counts of every position",
                            [](const std::vector<double>& exact) { return exact; });
  }

  // Two noisy answers to the same question, weighted by their precision: what one with both budgets would
  // say.
  static Noisy combined(Noisy one, const Noisy& other) {
    const double precision = 1 / (one.deviation * one.deviation),
                 added = 1 / (other.deviation * other.deviation);
    for (std::size_t i = 0; i < one.values.size(); ++i)
      one.values[i] = (precision * one.values[i] + added * other.values[i]) / (precision + added);
    one.deviation = 1 / std::sqrt(precision + added);
    return one;
  }

  static double users_in(const Noisy& offsets) { return std::max(offsets.values.back() / kLevelWeight, 1.0); }

  // Where sweeps do not pay, what was planned for them releases the offsets again.
  void release_offsets() {
    const OffsetSums sums = data_.map([&](const UserCells& data) { return offset_sums(data); });
    Noisy released = release_sums(sums, share_of_offsets());
    if (sweeps_ > 0 && !sweeps_pay(users_in(released))) {
      const double share = share_of_update();
      for (std::size_t spare = sweeps_ * shared_.size(); spare > 0; --spare)
        released = combined(std::move(released), release_sums(sums, share));
      sweeps_ = rank_ = 0;
    }
    estimate_offsets(released);
  }

  void estimate_offsets(const Noisy& released) {
    const std::span<const double> values(released.values);
    const double there = users_in(released);
    level_ = std::clamp(2 * values[values.size() - 2] / kLevelWeight / there, -2.0, 2.0);
    std::size_t begin = 0;
    for (int mode : shared_) {
      std::vector<double> sums, counts;
      for (std::size_t j = 0; j < shape_[mode]; ++j) {
        sums.push_back(values[begin++]);
        counts.push_back(values[begin++] / kCountWeight);
      }
      const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
      // A user with n cells has w = 1 / sqrt(n v) with v = modes x (spread + 0.25), so that n w adds up to
      // the mean of sqrt(n / v) times the number of users: w is about users / (total v).
      const double v = static_cast<double>(shared_.size()) * (kSpread + kCountWeight * kCountWeight);
      const double weight = std::min(1.0, there / (std::max(total, there) * v));
      const double deviation = std::max(released.deviation, 1e-6);
      beliefs_.push_back(believe({sums, counts, deviation, deviation / kCountWeight, weight}));
    }
  }

  // ---- Users' own rows ----

  // A user's row: level, two numbers a shared mode, then the components.
  Eigen::Index row_size() const { return 1 + 2 * static_cast<Eigen::Index>(shared_.size()) + rank_; }

  double offsets_at(const Cells& cells, std::size_t cell) const {
    double sum = level_;
    for (std::size_t s = 0; s < shared_.size(); ++s) sum += beliefs_[s].offsets[cells(cell, shared_[s])];
    return sum;
  }

  // The product of the components' rows in all shared modes but one.
  Vector components(const Cells& cells, std::size_t cell, std::size_t without) const {
    Vector product = Vector::Ones(rank_);
    for (std::size_t s = 0; s < shared_.size(); ++s)
      if (s != without) product.array() *= factors_[s].row(cells(cell, shared_[s])).transpose().array();
    return product;
  }

  void features(const Cells& cells, std::size_t cell, Vector& row) const {
    row[0] = 1;
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      const Index position = cells(cell, shared_[s]);
      row[1 + 2 * s] = beliefs_[s].offsets[position] / scales_[s];
      row[2 + 2 * s] = beliefs_[s].popularity[position];
    }
    row.tail(rank_) = components(cells, cell, shared_.size());
  }

  Vector solve_row(const UserCells& data, std::span<const std::size_t> cells) const {
    Eigen::MatrixXd left = Eigen::MatrixXd::Zero(row_size(), row_size());
    left.diagonal().setConstant(kFeatureRidge);
    left(0, 0) = kLevelRidge;
    Vector right = Vector::Zero(row_size()), row(row_size());
    for (std::size_t cell : cells) {
      features(data.tensor.cells(), cell, row);
      left.selfadjointView<Eigen::Lower>().rankUpdate(row);
      right += (centred(data.tensor, cell) - offsets_at(data.tensor.cells(), cell)) * row;
    }
    return left.selfadjointView<Eigen::Lower>().ldlt().solve(right);
  }

  Matrix solve_rows(const UserCells& data) const {
    const CellsByPosition& users = data.groups[users_];
    Matrix rows = Matrix::Zero(static_cast<Eigen::Index>(users.positions()), row_size());
#pragma omp parallel for schedule(dynamic, 16)
    for (std::size_t u = 0; u < users.positions(); ++u)
      if (users.count(u) > 0)
        rows.row(static_cast<Eigen::Index>(u)) = solve_row(data, users.cells(u)).transpose();
    return rows;
  }

  // ---- Stage 2: sweeps over the shared modes ----

  void start_factors() {
    for (const PositionBeliefs& beliefs : beliefs_)
      scales_.push_back(std::max(
          std::sqrt(beliefs.offsets.squaredNorm() / static_cast<double>(beliefs.offsets.size())), 1e-3));
    Random random(request_.fit.seed, 1);
    for (int mode : shared_) {
      Matrix factor(static_cast<Eigen::Index>(shape_[mode]), rank_);
      for (double& entry : factor.reshaped<Eigen::RowMajor>()) entry = random.normal();
      factors_.push_back(std::move(factor));
    }
  }

  // What a cell adds to the normal equations of its position in shared mode s: h h^T as its lower half, with
  // sqrt 2 off the diagonal (so that lengths are those of the matrix), and (x - all but the components) h.
  void equations(const UserCells& data, const Matrix& rows, std::size_t s, std::size_t cell,
                 Vector& numbers) const {
    const Cells& cells = data.tensor.cells();
    const auto own = rows.row(cells(cell, users_));
    Vector known(row_size());
    features(cells, cell, known);
    known.tail(rank_).setZero();
    const Vector h = own.tail(rank_).transpose().cwiseProduct(components(cells, cell, s));
    const double left = centred(data.tensor, cell) - offsets_at(cells, cell) - own.dot(known);
    Eigen::Index next = 0;
    for (int a = 0; a < rank_; ++a)
      for (int b = 0; b <= a; ++b) numbers[next++] = (a == b ? 1 : std::sqrt(2.0)) * h[a] * h[b];
    numbers.tail(rank_) = left * h;
  }

  // Her own row is made of her own cells and of what was released, so she moves nothing but her own vector.
  std::vector<double> equation_sums(const UserCells& data, std::size_t s) const {
    const Matrix rows = solve_rows(data);
    return sums_of_equal_users(
        data, request_.data.most_users(), std::span(&shared_[s], 1), numbers_of_row(), 1,
        [&](std::size_t cell, Vector& numbers) { equations(data, rows, s, cell, numbers); });
  }

  // With noise of known deviation d on L and r, r = L v + e, e ~ N(0, spread w L + d^2): generalised least
  // squares with v ~ N(0, 1), as the start was drawn. Directions in which L is below its noise say nothing.
  Vector solve_position(std::span<const double> numbers, double deviation) const {
    Eigen::MatrixXd left(rank_, rank_);
    std::size_t next = 0;
    for (int a = 0; a < rank_; ++a)
      for (int b = 0; b <= a; ++b) left(a, b) = left(b, a) = numbers[next++] / (a == b ? 1 : std::sqrt(2.0));
    const Eigen::Map<const Vector> right(numbers.data() + next, rank_);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(left);
    Vector solution = Vector::Zero(rank_);
    for (int k = 0; k < rank_; ++k) {
      const double value = eigen.eigenvalues()[k];
      if (value <= deviation) continue;
      const double variance = kEquationSpread * value + deviation * deviation;
      const Vector direction = eigen.eigenvectors().col(k);
      solution += value * direction.dot(right) / (value * value + variance) * direction;
    }
    return solution;
  }

  void update(std::size_t s) {
    const std::uint64_t width = static_cast<std::uint64_t>(numbers_of_row());
    const AdditiveNoise gaussian = noise(share_of_update(), shape_[shared_[s]] * width);
    const Noisy released =
        curator_.release(data_, gaussian, fmt::format("normal equations of mode {}", shared_[s] + 1),
                         [&](const UserCells& data) { return equation_sums(data, s); });
    for (std::size_t j = 0; j < shape_[shared_[s]]; ++j)
      factors_[s].row(static_cast<Eigen::Index>(j)) =
          solve_position(std::span(released.values).subspan(j * width, width), released.deviation)
              .transpose();
  }

  // ---- The model ----

  // Components: for every shared mode its offsets and its popularity, scaled by each user; then those that
  // were swept for.
  Cp shared_model() const {
    const Eigen::Index fixed = 2 * static_cast<Eigen::Index>(shared_.size()), rank = fixed + rank_;
    const Range& range = request_.data.range();
    Cp model{Vector::Ones(rank), {}, {range.middle() + unit_ * level_, {}}};
    for (int mode = 0; mode < shape_.order(); ++mode) {
      const auto size = static_cast<Eigen::Index>(shape_[mode]);
      model.factors.emplace_back(mode == users_ ? Matrix::Zero(size, rank) : Matrix::Ones(size, rank));
      model.biases.offsets.emplace_back(Vector::Zero(size));
    }
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      const int mode = shared_[s];
      model.biases.offsets[mode] = unit_ * beliefs_[s].offsets;
      model.factors[mode].col(2 * s) = beliefs_[s].offsets / scales_[s];
      model.factors[mode].col(2 * s + 1) = beliefs_[s].popularity;
      model.factors[mode].rightCols(rank_) = factors_[s];
    }
    return model;
  }

  Cp with_rows(const UserCells& data) const {
    Cp model = shared_model();
    const Matrix rows = unit_ * solve_rows(data);
    model.biases.offsets[users_] = rows.col(0);
    model.factors[users_] = rows.rightCols(rows.cols() - 1);
    return model;
  }

  std::string remark() const {
    return sweeps_ == 0
               ? std::string(
                     "Released offsets and popularity alone: so few users cannot pay for more components.")
               : fmt::format("Swept {} times over {} components beside offsets and popularity.", sweeps_,
                             rank_);
  }

  static constexpr double kEquationSpread = 0.05;

  const PrivateRequest& request_;
  Curator& curator_;
  const Shape shape_;
  int users_;
  double unit_;  // values are held as (x - middle) / unit, which lies in [-2, 2]
  int rank_, sweeps_;
  Protected<UserCells> data_;
  std::vector<int> shared_;  // modes

  double level_ = 0;
  std::vector<PositionBeliefs> beliefs_;  // of each shared mode
  std::vector<double> scales_;            // of its offsets
  std::vector<Matrix> factors_;           // of each shared mode
};

}  // namespace

Completion als_for_users(const PrivateRequest& request, Curator& curator) {
  if (request.settings.get(setting::noise).value_or(NoiseKind::gaussian) != NoiseKind::gaussian)
    fail_usage("method als has gaussian noise alone for unit user; leave noise out");
  if (request.terms.budget.delta == 0) fail_usage("unit user needs a delta above 0, such as 1e-5");
  return UserAls(request, curator).run();
}

}  // namespace tulle
