// Method als for users, joint privacy, where the other modes have few positions: means of positions, and how
// users' values vary together around them (Tulle).
//
// Unit, relation:  user (named mode), add-remove. Public: shape without the number of users, range, options.
// Releases:        sums over users of one vector each, scaled to L2 norm 1 at most after rounding to the grid
//                  (user_vectors.hpp), so the sensitivity is 1: 1. what a user's values are like on the whole
//                  (UserPilot). 2. per position, values less the released level, and presence. 3. per pair of
//                  positions, products of values less the released means, and presence of both; or, where
//                  the pilot says that these would be noise, release 2 again. Gaussian, planned together.
// Not released:    a user's own row, the posterior mean of what sets her apart, from her own cells and what
//                  was released; nobody but her sees it.
// After that free: means, their covariance, of which directions above the noise are kept.
// Cost:            O(users x positions^2) time, O(positions^2) memory.
#include "moment_users.hpp"

#include "completion/als_forms.hpp"
#include "estimate/user/user_moments.hpp"
#include "frequent_pairs.hpp"
#include "user_vectors.hpp"

#include <tulle/base/error.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

namespace tulle {
namespace {

constexpr std::size_t kMostPositions = 128;  // pairs of which take longer than all else

constexpr const char* kPilot = "pilot statistics";  // ids of releases
constexpr const char* kPositionSums = "position sums";
constexpr const char* kPairSums = "pair sums";

// The budget, in mu^2. On synthetic users, from 50 to 5,000 with 3 to 100 positions, the error is flat around
// these shares.
constexpr double kPilotShare = 1. / 16, kPositionShare = 6. / 16;

// The positions of all modes but the users', as those of one mode.
class JointPositions {
 public:
  JointPositions(const Shape& shape, int users) : users_(users) {
    for (int mode = 0; mode < shape.order(); ++mode)
      if (mode != users) sizes_.push_back(shape[mode]);
  }

  std::size_t count() const {
    std::size_t product = 1;
    for (const Index size : sizes_) product = std::min(product * size, kMostPositions + 1);
    return product;
  }
  std::size_t of(const Index* positions) const {
    std::size_t joint = 0;
    for (std::size_t s = 0; s < sizes_.size(); ++s) joint = joint * sizes_[s] + positions[s];
    return joint;
  }
  int modes() const { return static_cast<int>(sizes_.size()); }
  int mode(int shared) const { return shared < users_ ? shared : shared + 1; }
  Index size(int shared) const { return sizes_[static_cast<std::size_t>(shared)]; }

 private:
  int users_;
  std::vector<Index> sizes_;
};

// A user's values in [-1, 1], and where they are.
class JointCells {
 public:
  JointCells(UserCells cells, const Range& range, const JointPositions& positions)
      : cells_(std::move(cells)), range_(range), positions_(positions) {}

  const UserCells& users() const { return cells_; }
  std::size_t position(std::size_t cell) const { return positions_.of(cells_.positions(cell)); }
  double value(std::size_t cell) const { return range_.centred(cells_.value(cell)) / (range_.width() / 2); }

 private:
  UserCells cells_;
  Range range_;
  JointPositions positions_;
};

// ---- What a user adds to the three releases ----

void write_pilot(const JointCells& data, std::size_t positions, std::size_t user, std::span<double> numbers) {
  const auto count = static_cast<double>(data.users().count(user));
  double sum = 0, squares = 0;
  for (std::size_t cell = data.users().begin(user); cell < data.users().end(user); ++cell)
    sum += data.value(cell), squares += data.value(cell) * data.value(cell);
  const double mean = sum / count;
  numbers[0] = 1, numbers[1] = mean, numbers[2] = count / static_cast<double>(positions);
  if (count > 1) {
    numbers[3] = 1;
    numbers[4] = std::min(1.0, std::sqrt(std::max(0.0, (squares - sum * mean) / (count - 1))));
  }
  const double square = std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0);
  numbers[5] = std::sqrt(std::max(0.0, UserPilot::kSquare - square));
}

void write_positions(const JointCells& data, const UserPilot& pilot, std::size_t user,
                     std::span<double> numbers) {
  for (std::size_t cell = data.users().begin(user); cell < data.users().end(user); ++cell) {
    double* const own = &numbers[2 * data.position(cell)];
    own[0] += data.value(cell) - pilot.level;
    own[1] += pilot.spread;
  }
}

// Where row i begins in the upper triangle of a symmetric matrix, less i.
std::size_t row_of_pairs(std::size_t i, std::size_t positions) {
  return i * positions - i * (i - 1) / 2 - i;
}

class PairTerms {
 public:
  PairTerms(const JointCells& data, std::size_t positions, const UserPilot& pilot, const PositionMeans& means)
      : data_(data),
        positions_(positions),
        level_(pilot.level),
        unit_(pair_unit(pilot)),
        means_(means.values) {}

  void write(std::size_t user, std::span<double> numbers) const {
    const std::size_t begin = data_.users().begin(user), end = data_.users().end(user);
    for (std::size_t one = begin; one < end; ++one)
      for (std::size_t other = one; other < end; ++other) {
        const auto [i, j] = std::minmax({data_.position(one), data_.position(other)});
        const std::size_t pair = row_of_pairs(i, positions_) + j;
        const double times = i == j ? 1 : kPairTwice;
        numbers[pair] += times * rest(one) * rest(other);
        numbers[numbers.size() / 2 + pair] += times * unit_;
      }
  }

 private:
  double rest(std::size_t cell) const {
    return data_.value(cell) - level_ - means_[static_cast<Eigen::Index>(data_.position(cell))];
  }

  const JointCells& data_;
  std::size_t positions_;
  double level_, unit_;
  const Vector& means_;
};

// ---- What the releases say ----

// Components of a model: each is a table over all positions, scaled by each user. A table of one mode is a
// column of its factor; of several modes, a column per combination of all but the largest.
class Tables {
 public:
  Tables(const Shape& shape, int users) : positions_(shape, users) {
    for (int s = 0; s < positions_.modes(); ++s)
      if (positions_.size(s) > positions_.size(largest_)) largest_ = s;
    for (int s = 0; s < positions_.modes(); ++s)
      if (s != largest_) columns_ *= positions_.size(s);
  }

  Eigen::Index columns() const { return columns_; }  // per table

  void write(const Vector& table, Eigen::Index first, Cp& model) const {
    std::vector<Index> at(static_cast<std::size_t>(positions_.modes()));
    for (Eigen::Index joint = 0; joint < table.size(); ++joint) {
      Eigen::Index rest = joint, column = 0, stride = 1;
      for (int s = positions_.modes() - 1; s >= 0; --s) {
        at[s] = static_cast<Index>(rest % positions_.size(s)), rest /= positions_.size(s);
        if (s != largest_) column += stride * at[s], stride *= positions_.size(s);
      }
      for (int s = 0; s < positions_.modes(); ++s)
        model.factors[positions_.mode(s)](at[s], first + column) = s == largest_ ? table[joint] : 1;
    }
  }

 private:
  JointPositions positions_;
  int largest_ = 0;
  Eigen::Index columns_ = 1;
};

class MomentEstimate {
 public:
  MomentEstimate(const Shape& shape, int users, const Range& range, const Release& pilot,
                 const Release& positions)
      : shape_(shape),
        users_(users),
        range_(range),
        pilot_(user_pilot(pilot.values, pilot.deviation, static_cast<double>(positions.values.size() / 2))),
        means_(position_means(pilot_, positions.values, positions.deviation)) {}

  void take(const Release* pairs, std::optional<int> most) {
    covariance_ = pairs ? with_pairs(*pairs, most) : expected_covariance(pilot_, means_);
  }

  const UserPilot& pilot() const { return pilot_; }
  const PositionMeans& means() const { return means_; }
  Eigen::Index directions() const { return covariance_.factors.cols() - 1; }

  // Users' interest in positions of the other mode, if there is only one.
  std::optional<Interest> interest() const {
    if (shape_.order() != 2) return std::nullopt;
    std::vector<Index> all(static_cast<std::size_t>(means_.counts.size()));
    std::iota(all.begin(), all.end(), Index{0});
    if (counts_.sums.empty()) all.clear();
    return interest_of(1 - users_, means_.counts, std::move(all), counts_.sums, counts_.deviation);
  }

  // Components: the means, where several modes have them together, then the directions; users' levels are
  // offsets.
  Cp shared_model() const {
    const Tables tables(shape_, users_);
    const bool together = shape_.order() > 2;
    const Eigen::Index rank = (directions() + together) * tables.columns();
    Cp model{Vector::Ones(rank), {}, {range_.middle() + unit() * pilot_.level, {}}};
    for (const Index size : shape_.dimensions()) {
      model.factors.emplace_back(Matrix::Zero(size, rank));
      model.biases.offsets.emplace_back(Vector::Zero(size));
    }
    if (together) {
      tables.write(unit() * means_.values, 0, model);
      model.factors[users_].leftCols(tables.columns()).setOnes();
    } else {
      model.biases.offsets[1 - users_] = unit() * means_.values;
    }
    for (Eigen::Index d = 0; d < directions(); ++d)
      tables.write(covariance_.factors.col(1 + d), (d + together) * tables.columns(), model);
    return model;
  }

  Cp with_rows(const JointCells& data) const {
    Cp model = shared_model();
    const Eigen::Index columns = Tables(shape_, users_).columns();
    const Eigen::Index fixed = shape_.order() > 2 ? columns : 0;
    const auto users = static_cast<Eigen::Index>(data.users().users());
    Vector& levels = model.biases.offsets[users_];
    Matrix& rows = model.factors[users_];
    levels = Vector::Zero(users);
    rows = Matrix::Zero(users, rows.cols());
    rows.leftCols(fixed).setOnes();
#pragma omp parallel for schedule(dynamic, 16)
    for (Eigen::Index user = 0; user < users; ++user) {
      const Vector row = unit() * row_of(data, static_cast<std::size_t>(user));
      levels[user] = row[0] * covariance_.factors(0, 0);
      for (Eigen::Index d = 0; d < directions(); ++d)
        rows.row(user).segment(fixed + d * columns, columns).setConstant(row[1 + d]);
    }
    return model;
  }

 private:
  double unit() const {
    return range_.width() / 2;
  }

  UserCovariance with_pairs(const Release& pairs, std::optional<int> most) {
    counts_ = pair_counts(pilot_, pairs.values, pairs.deviation);
    return user_covariance(pilot_, means_, pairs.values, pairs.deviation, most);
  }

  // Values less means = F row + own, with row ~ N(0, 1).
  Vector row_of(const JointCells& data, std::size_t user) const {
    Eigen::MatrixXd precision = Eigen::MatrixXd::Identity(1 + directions(), 1 + directions());
    Vector seen = Vector::Zero(1 + directions());
    for (std::size_t cell = data.users().begin(user); cell < data.users().end(user); ++cell) {
      const auto position = static_cast<Eigen::Index>(data.position(cell));
      const Vector loading = covariance_.factors.row(position) / covariance_.own[position];
      precision += loading * covariance_.factors.row(position);
      seen += loading * (data.value(cell) - pilot_.level - means_.values[position]);
    }
    return precision.llt().solve(seen);
  }

  Shape shape_;
  int users_;
  Range range_;
  UserPilot pilot_;
  PositionMeans means_;
  PairCounts counts_;
  UserCovariance covariance_;
};

class MomentMeasurement {
 public:
  MomentMeasurement(const PrivateRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        positions_(request.data.shape(), request.terms.user_mode),
        data_(request.data.observed().map([&](const SparseTensor& observed) {
          return JointCells(UserCells(observed, request.terms.user_mode), request.data.range(), positions_);
        })) {}

  Measured run() && {
    curator_.set_joint();
    const std::vector<double> noise = curator_.plan(
        {{.share = kPilotShare}, {.share = kPositionShare}, {.share = 1 - kPilotShare - kPositionShare}});
    Releases releases{release_pilot(noise[0])};
    const auto positions = static_cast<double>(positions_.count());
    const UserPilot pilot = user_pilot(releases[0].values, releases[0].deviation, positions);
    releases.push_back(release_positions(pilot, noise[1]));
    const bool pairs = pairs_pay(pilot, positions, noise[2]);
    if (!pairs) releases[1] = combined(std::move(releases[1]), release_positions(pilot, noise[2]));
    auto estimate = std::make_shared<MomentEstimate>(request_.data.shape(), request_.terms.user_mode,
                                                     request_.data.range(), releases[0], releases[1]);
    if (pairs) releases.push_back(release_pairs(*estimate, noise[2]));
    estimate->take(pairs ? &releases[2] : nullptr, wanted_components(request_.fit));
    Measured measured(std::move(releases));
    measured.with_user_rows = [estimate, data = std::move(data_)] {
      return data.map([&](const JointCells& cells) { return Model(estimate->with_rows(cells)); });
    };
    return measured;
  }

 private:
  Release release_pilot(double multiplier) {
    const std::size_t positions = positions_.count();
    return release(kPilot, multiplier, UserPilot::kNumbers, [&](const JointCells& data) {
      return [&data, positions](std::size_t user, std::span<double> numbers) {
        write_pilot(data, positions, user, numbers);
      };
    });
  }

  Release release_positions(const UserPilot& pilot, double multiplier) {
    return release(kPositionSums, multiplier, 2 * positions_.count(), [&](const JointCells& data) {
      return [&data, &pilot](std::size_t user, std::span<double> numbers) {
        write_positions(data, pilot, user, numbers);
      };
    });
  }

  Release release_pairs(const MomentEstimate& estimate, double multiplier) {
    const std::size_t positions = positions_.count();
    return release(kPairSums, multiplier, pair_numbers(positions), [&](const JointCells& data) {
      return [terms = PairTerms(data, positions, estimate.pilot(), estimate.means())](
                 std::size_t user, std::span<double> numbers) { terms.write(user, numbers); };
    });
  }

  // Combines two releases of the same sums.
  static Release combined(Release one, const Release& other) {
    Noisy both = tulle::combined({std::move(one.values), one.deviation}, {other.values, other.deviation});
    one.values = std::move(both.values), one.deviation = one.typical = both.deviation;
    one.events.insert(one.events.end(), other.events.begin(), other.events.end());
    return one;
  }

  // One user more or less adds or takes away one vector of length 1 at most.
  template <class Terms>
  Release release(const char* id, double multiplier, std::size_t numbers, const Terms& terms) {
    const AdditiveNoise noise =
        AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::user, request_.relation), multiplier, numbers);
    Noisy released = curator_.release(data_, noise, id, [&](const JointCells& data) {
      return sums_of_user_vectors(data.users(), request_.data.most_users(), numbers, request_.fit.block_size,
                                  terms(data));
    });
    return Release::of(id, curator_, std::move(released));
  }

  const PrivateRequest& request_;
  Curator& curator_;
  JointPositions positions_;
  Protected<JointCells> data_;
};

}  // namespace

bool has_few_positions(const PrivateRequest& request) {
  const bool model = request.fit.model == ModelKind::cp || request.data.shape().order() == 2;
  return model && !request.settings.get(setting::steps) &&
         JointPositions(request.data.shape(), request.terms.user_mode).count() <= kMostPositions;
}

bool is_of_moments(const Measurement& measured) {
  return measured.has(kPilot);
}

Measured measure_moment_users(const PrivateRequest& request, Curator& curator) {
  return MomentMeasurement(request, curator).run();
}

Completion estimate_moment_users(const Measurement& measured, const FitOptions& fit) {
  if (fit.model != ModelKind::cp && measured.shape.order() > 2)
    fail_usage("als made these releases for a cp model; refit that[ (@model)], or fit the data again");
  const std::size_t positions = JointPositions(measured.shape, measured.user_mode).count();
  MomentEstimate estimate(measured.shape, measured.user_mode, {measured.low, measured.high},
                          measured.find(kPilot, UserPilot::kNumbers),
                          measured.find(kPositionSums, 2 * positions));
  const bool pairs = measured.has(kPairSums);
  estimate.take(pairs ? &measured.find(kPairSums, pair_numbers(positions)) : nullptr, wanted_components(fit));
  return {
      .model = estimate.shared_model(),
      .solver = "als",
      .converged = true,
      .interest = estimate.interest(),
      .remarks = {pairs ? fmt::format("Released means of {} positions and how users' values vary together: "
                                      "{} directions stand out of the noise beside users' levels.",
                                      positions, estimate.directions())
                        : fmt::format("Released means of {} positions alone: of so few users, how values "
                                      "vary together would not stand out of the noise.",
                                      positions)}};
}

}  // namespace tulle
