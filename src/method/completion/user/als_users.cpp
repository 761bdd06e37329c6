// Method als for users, joint privacy: sums over users of vectors of length 1 at most (Tulle; generalises
// Chien et al. 2021 and Krichene et al. 2023 to any number of modes).
//
// Unit, relation:  user (named mode), add-remove. Public: shape without the number of users, range, options.
// Releases:        1. per position of the shared modes, sums of distances to the mean of a user's other
//                  cells and of counts, and her mean and presence: her vector has L2 norm 1 at most after
//                  rounding to the grid (user_sums.cpp), so the sensitivity is 1. 2. (sweeps) normal
//                  equations of one shared mode after the other, the same bound; or, if the released number
//                  of users shows that sweeps do not pay, release 1 again with the noise that was planned
//                  for them. 3. for pairs of the most popular positions of the largest shared mode, whether
//                  a user has both: the same bound (user_vectors.hpp). Gaussian, planned together.
// Not released:    a user's own row, solved from her own cells and what was released; nobody but her sees
//                  it.
// After that free: offsets, popularity, the factors of the shared modes, which positions go together.
// Cost:            O(entries x rank^2) time per release, O(positions x rank^2) memory.
#include "completion/als_forms.hpp"
#include "frequent_pairs.hpp"
#include "packed_equations.hpp"
#include "private_biases.hpp"
#include "user_row.hpp"
#include "user_sums.hpp"
#include "user_vectors.hpp"

#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/base/prefetch.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/sum_grid.hpp>
#include <tulle/base/unit_blocks.hpp>
#include <tulle/tensor/kernels/eigenbases.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace tulle {
namespace {

// Found on held-out parts of MovieLens ua.base; the error is flat around them.
constexpr double kCountWeight = 0.5;  // of counts relative to values, in the vector of a user
// The weight of her mean and of her presence. The expected error of the published model and of users' own
// predictions, averaged over 300 to 30,000 users with 5 to 300 cells at 140 to 10,000 positions, is flat
// around it; with fewer users a larger weight would improve the published model.
constexpr double kLevelWeight = 0.2;
constexpr double kFirstShare = 0.4;  // of the budget, for the offsets, when sweeps follow
constexpr double kPairShare = 0.1;   // for pairs of popular positions
constexpr int kSweptRank = 4, kSweeps = 8;

// The terms of a cell in the first release: its distance to its user's mean, and its presence.
class OffsetTerms {
 public:
  OffsetTerms(const UserCells& data, const std::vector<double>& means, const Range& range)
      : data_(data), means_(means), range_(range), unit_(range.width() / 4) {}

  static HeldSizes sizes() { return {.of_user = 0, .of_cell = 1}; }
  // Distances are to the mean of her other cells: a cell's own part in the mean would hide part of its
  // distance.
  void start(std::size_t user, double*, double* distances) const {
    const auto count = static_cast<double>(data_.count(user));
    const double times = count > 1 ? count / (count - 1) : 0;
    for (std::size_t cell = data_.begin(user); cell < data_.end(user); ++cell)
      *distances++ = times * (range_.centred(data_.value(cell)) / unit_ - means_[user]);
  }
  void add(const HeldCell& held, double weight, double* sums) const {
    sums[0] += weight * *held.of_cell;
    sums[1] += weight * kCountWeight;
  }
  double square(const HeldCell& held) const {
    return *held.of_cell * *held.of_cell + kCountWeight * kCountWeight;
  }
  inline __attribute__((always_inline)) void prefetch_held(const HeldCell& held) const {
    prefetch_to_read(held.of_cell, 1);
  }
  void prefetch_others(std::size_t) const {}

 private:
  const UserCells& data_;
  const std::vector<double>& means_;
  const Range& range_;
  double unit_;
};

// The terms of a cell in the normal equations of its position in one shared mode. A user's own row follows
// from her own cells and from releases, so she changes only her own vector.
class EquationTerms {
 public:
  EquationTerms(const UserCells& data, const SharedModes& shared, const Range& range, std::size_t mode)
      : data_(data),
        shared_(shared),
        mode_(mode),
        rank_(static_cast<std::size_t>(shared.rank)),
        row_(data, shared, range),
        product_(rank_),
        large_others_(shared.large_modes()) {
    std::erase(large_others_, mode);
  }

  // Holds her components and, for each cell, the residual that they should explain.
  HeldSizes sizes() const { return {.of_user = rank_, .of_cell = 1}; }
  void start(std::size_t user, double* components, double* rests) {
    std::ranges::copy(row_.solve(user).last(rank_), components);
    row_.without_components(rests);
  }
  void add(const HeldCell& held, double weight, double* sums) { add_packed(equation(held), weight, sums); }
  double square(const HeldCell& held) { return packed_square(equation(held)); }
  inline __attribute__((always_inline)) void prefetch_held(const HeldCell& held) const {
    prefetch_to_read(held.of_user, rank_);
    prefetch_to_read(held.of_cell, 1);
    __builtin_prefetch(data_.positions(held.cell));
  }
  inline __attribute__((always_inline)) void prefetch_others(std::size_t cell) const {
    for (std::size_t s : large_others_)
      prefetch_to_read(shared_.positions[s].row(data_.positions(cell)[s]), SharedModes::kComponents + rank_);
  }

 private:
  CellEquation equation(const HeldCell& held) {
    return {held.of_user, others(data_.positions(held.cell)), rank_, *held.of_cell};
  }
  // The product of the rows of the other shared modes, of which a 3-way tensor has one.
  const double* others(const Index* positions) {
    if (shared_.positions.size() == 2)
      return shared_.positions[1 - mode_].row(positions[1 - mode_]) + SharedModes::kComponents;
    multiply_components(shared_, positions, mode_, product_.data());
    return product_.data();
  }

  const UserCells& data_;
  const SharedModes& shared_;
  std::size_t mode_, rank_;
  UserRow row_;
  std::vector<double> product_;            // of rows
  std::vector<std::size_t> large_others_;  // modes
};

// Choices about the releases, made from public facts and the released number of users.
struct Choices {
  std::optional<int> wanted;  // components that were asked for
  int rank, sweeps;           // of none where they do not pay

  std::vector<double> numbers() const { return {double(wanted.value_or(-1)), double(rank), double(sweeps)}; }

  // Checks the numbers, which a damaged file may have changed.
  static Choices of(const Release& sums) {
    const std::vector<double>& n = sums.chosen;
    if (n.size() != 3 || !(n[0] >= -1 && n[0] < 1e6) || !(n[1] >= 0 && n[1] < 1e6) ||
        !(n[2] >= 0 && n[2] < 1e6))
      fail("release '{}' does not say how it was made; it cannot be refitted", sums.id);
    return {n[0] < 0 ? std::nullopt : std::optional(static_cast<int>(n[0])), static_cast<int>(n[1]),
            static_cast<int>(n[2])};
  }
};

constexpr const char* kOffsetSums = "offset and level sums";  // ids of releases
constexpr const char* kEquations = "normal equations";
constexpr const char* kFrequentPairs = "pairs of popular positions";

std::vector<int> shared_modes(const Shape& shape, int users) {
  std::vector<int> shared;
  for (int mode = 0; mode < shape.order(); ++mode)
    if (mode != users) shared.push_back(mode);
  return shared;
}

// About the number of users.
double users_in(const std::vector<double>& offset_sums) {
  return std::max(offset_sums.back() / kLevelWeight, 1.0);
}

// The estimate of the shared modes from the releases.
class SharedEstimate {
 public:
  SharedEstimate(const Shape& shape, int users, const Range& range, const Release& offset_sums, int rank,
                 std::uint64_t seed)
      : shape_(shape),
        users_(users),
        range_(range),
        unit_(range.width() / 4),
        rank_(rank),
        shared_(shared_modes(shape, users)) {
    std::size_t numbers = 2;
    for (int mode : shared_) numbers += 2 * std::size_t{shape_[mode]};
    if (offset_sums.values.size() != numbers)
      fail("release '{}' is not of a {} tensor; it cannot be refitted", offset_sums.id, shape.text());
    estimate_offsets(offset_sums);
    start_factors(seed);
  }

  const SharedModes& modes() const { return released_; }

  // The shared mode with the most positions.
  std::size_t largest() const {
    return static_cast<std::size_t>(
        std::ranges::max_element(shared_, {}, [&](int mode) { return Index{shape_[mode]}; }) -
        shared_.begin());
  }
  const Vector& popularity(std::size_t s) const { return posteriors_[s].popularity; }

  // A file may say anything.
  Interest interest(const Release* pairs) const {
    const std::size_t s = largest();
    if (!pairs) return interest_of(shared_[s], popularity(s), {}, {}, 1);
    const std::size_t count = pairs->chosen.size();
    const auto is_position = [&](double i) { return i >= 0 && i < shape_[shared_[s]]; };
    if (pairs->values.size() != count * (count + 1) / 2 || !std::ranges::all_of(pairs->chosen, is_position))
      fail("release '{}' is not of positions of this tensor; it cannot be refitted", pairs->id);
    return interest_of(shared_[s], popularity(s), {pairs->chosen.begin(), pairs->chosen.end()}, pairs->values,
                       pairs->deviation);
  }

  // Takes a release of normal equations. They alone determine the factor of their mode, whatever it was
  // before.
  void take(const Release& released) {
    const double stated = released.chosen.empty() ? -1 : released.chosen.front();
    if (!(stated >= 0 && stated < static_cast<double>(shared_.size())) ||
        released.values.size() != released_.positions[static_cast<std::size_t>(stated)].rows() *
                                      packed_size(static_cast<std::size_t>(rank_)))
      fail("release '{}' is not of a mode of this tensor; it cannot be refitted", released.id);
    Panel& rows = released_.positions[static_cast<std::size_t>(stated)];
#pragma omp parallel if (released.values.size() * rank_ > kWorthThreads)
    {
      Eigenbases bases(rank_);
#pragma omp for schedule(static)
      for (std::size_t first = 0; first < rows.rows(); first += Eigenbases::kCount)
        solve_positions(released, first, bases, rows);
    }
  }

  // Components: for every shared mode its offsets and its popularity, scaled by each user; then those of the
  // sweeps.
  Cp shared_model() const {
    const Eigen::Index fixed = 2 * static_cast<Eigen::Index>(shared_.size()), rank = fixed + rank_;
    Cp model{Vector::Ones(rank), {}, {range_.middle() + unit_ * released_.level, {}}};
    for (int mode = 0; mode < shape_.order(); ++mode) {
      const auto size = static_cast<Eigen::Index>(shape_[mode]);
      model.factors.emplace_back(mode == users_ ? Matrix::Zero(size, rank) : Matrix::Ones(size, rank));
      model.biases.offsets.emplace_back(Vector::Zero(size));
    }
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      const int mode = shared_[s];
      const Matrix known = released_.positions[s].matrix();
      model.biases.offsets[mode] = unit_ * known.col(SharedModes::kOffset);
      model.factors[mode].col(2 * s) = known.col(SharedModes::kScaledOffset);
      model.factors[mode].col(2 * s + 1) = known.col(SharedModes::kPopularity);
      model.factors[mode].rightCols(rank_) = known.rightCols(rank_);
    }
    return model;
  }

  Cp with_rows(const UserCells& data) const {
    Cp model = shared_model();
    Vector& levels = model.biases.offsets[users_];
    Matrix& rows = model.factors[users_];
    levels = Vector::Zero(static_cast<Eigen::Index>(data.users()));
    rows = Matrix::Zero(levels.size(), released_.row_size() - 1);
#pragma omp parallel if (data.size() * released_.row_size() > kWorthThreads)
    {
      UserRow regression(data, released_, range_);
#pragma omp for schedule(dynamic, 16)
      for (std::size_t user = 0; user < data.users(); ++user) {
        if (data.count(user) == 0) continue;
        const Eigen::Map<const Vector> row(regression.solve(user).data(), released_.row_size());
        const auto place = static_cast<Eigen::Index>(user);
        levels[place] = unit_ * row[0];
        rows.row(place) = unit_ * row.tail(rows.cols()).transpose();
      }
    }
    return model;
  }

 private:
  void estimate_offsets(const Release& released) {
    const std::span<const double> values(released.values);
    const double there = users_in(released.values);
    estimate_level(2 * values[values.size() - 2] / kLevelWeight, there,
                   2 * released.deviation / kLevelWeight);
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
      const double v =
          static_cast<double>(shared_.size()) * (SharedModes::kSpread + kCountWeight * kCountWeight);
      const double weight = std::min(1.0, there / (std::max(total, there) * v));
      const double deviation = std::max(released.deviation, 1e-6);
      posteriors_.push_back(position_posteriors({sums, counts, deviation, deviation / kCountWeight, weight}));
    }
  }

  // sum = n m + noise, where the number of users n is known with half of that noise, and m ~ N(0, v) before
  // anything is known: v is that of uniform values.
  void estimate_level(double sum, double users, double deviation) {
    constexpr double kPrior = 4. / 3;
    const double noise = deviation * deviation * (1 + kPrior / 4);
    released_.level = std::clamp(users * sum / (users * users + noise / kPrior), -2.0, 2.0);
    released_.level_variance = 1 / (1 / kPrior + users * users / noise);
  }

  void start_factors(std::uint64_t seed) {
    Random random(seed, 1);
    released_.rank = rank_;
    for (std::size_t s = 0; s < shared_.size(); ++s) {
      const Vector& offsets = posteriors_[s].offsets;
      const double scale =
          std::max(std::sqrt(offsets.squaredNorm() / static_cast<double>(offsets.size())), 1e-3);
      Panel& positions = released_.positions.emplace_back(static_cast<std::size_t>(offsets.size()),
                                                          SharedModes::kComponents + rank_);
      for (std::size_t j = 0; j < positions.rows(); ++j) {
        double* const known = positions.row(j);
        known[SharedModes::kOffset] = offsets[j];
        known[SharedModes::kScaledOffset] = offsets[j] / scale;
        known[SharedModes::kPopularity] = posteriors_[s].popularity[j];
        for (int r = 0; r < rank_; ++r) known[SharedModes::kComponents + r] = random.normal();
      }
    }
  }

  // With noise of known deviation d on L and r, r = L v + e, e ~ N(0, spread w L + d^2): generalised least
  // squares with v ~ N(0, 1), as the start was drawn. Directions in which L is below its noise are ignored.
  // Writes the rows of the positions from `first` on, as many as there are bases and positions.
  void solve_positions(const Release& released, std::size_t first, Eigenbases& bases, Panel& rows) const {
    const std::size_t width = packed_size(static_cast<std::size_t>(rank_));
    const int count = static_cast<int>(std::min<std::size_t>(Eigenbases::kCount, rows.rows() - first));
    for (int l = 0; l < count; ++l) {
      const std::span<const double> numbers = std::span(released.values).subspan((first + l) * width, width);
      unpack_matrix(numbers, rank_, [&](int a, int b, double element) {
        bases.element(l, a, b) = bases.element(l, b, a) = element;
      });
      for (int r = 0; r < rank_; ++r) bases.coordinate(l, r) = numbers[width - rank_ + r];
    }
    bases.decompose();
    bases.turn();
    const double square = released.deviation * released.deviation;
    for (int l = 0; l < count; ++l)
      for (int k = 0; k < rank_; ++k) {
        const double value = bases.value(l, k);
        bases.coordinate(l, k) *=
            value > released.deviation ? value / (value * value + kEquationSpread * value + square) : 0;
      }
    bases.turn_back();
    for (int l = 0; l < count; ++l)
      for (int r = 0; r < rank_; ++r)
        rows.row(first + l)[SharedModes::kComponents + r] = bases.coordinate(l, r);
  }

  static constexpr double kEquationSpread = 0.05;

  Shape shape_;
  int users_;
  Range range_;
  double unit_;  // values are held as (x - middle) / unit, which lies in [-2, 2]
  int rank_;
  std::vector<int> shared_;                     // modes
  std::vector<PositionPosteriors> posteriors_;  // of each of them
  SharedModes released_;
};

class UserMeasurement {
 public:
  UserMeasurement(const PrivateRequest& request, Curator& curator)
      : request_(request),
        curator_(curator),
        shape_(request.data.shape()),
        users_(request.terms.user_mode),
        unit_(request.data.range().width() / 4),
        made_(wanted(request)),
        shared_(shared_modes(shape_, users_)),
        data_(request.data.observed().map(
            [this](const SparseTensor& observed) { return UserCells(observed, users_); })) {}

  Measured run() && {
    curator_.set_joint();
    plan();
    Releases releases = release_offsets_and_pairs();
    auto shared = std::make_shared<SharedEstimate>(shape_, users_, request_.data.range(), releases.front(),
                                                   made_.rank, request_.fit.seed);
    std::vector<std::optional<Release>> last(shared_.size());  // of each mode: earlier ones say no more
    for (int sweep = 0; sweep < made_.sweeps; ++sweep)
      for (std::size_t s = 0; s < shared_.size(); ++s) {
        last[s] = release_equations(s, shared->modes());
        shared->take(*last[s]);
      }
    for (std::optional<Release>& equations : last)
      if (equations) releases.push_back(std::move(*equations));
    Measured measured(std::move(releases));
    measured.with_user_rows = [shared, data = std::move(data_)] {
      return data.map([&](const UserCells& cells) { return Model(shared->with_rows(cells)); });
    };
    return measured;
  }

 private:
  // The components of the sweeps, unless the released number of users shows that sweeps do not pay.
  static Choices wanted(const PrivateRequest& request) {
    const std::optional<int> asked = wanted_components(request.fit);
    const std::optional<int> steps = request.settings.get(setting::steps);
    const int rank = steps == 0 ? 0 : asked.value_or(kSweptRank);
    return {asked, rank, rank == 0 ? 0 : steps.value_or(kSweeps)};
  }

  // Sweeps pay if the signal of all users in a parameter of a position stands out of its noise. The number of
  // users is private, so this uses the released count.
  bool sweeps_pay(double users) const {
    if (request_.settings.get(setting::steps)) return true;
    double positions = 0;
    for (int mode : shared_) positions += shape_[mode];
    return users >= 20 * made_.rank * std::sqrt(positions) * of_update_;
  }

  // One user more or less adds or takes away one vector of length 1 at most.
  AdditiveNoise noise(double multiplier, std::uint64_t numbers) const {
    return AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::user, request_.relation), multiplier, numbers);
  }

  std::uint64_t numbers_of_offsets() const {
    std::uint64_t numbers = 2;
    for (int mode : shared_) numbers += 2 * std::uint64_t{shape_[mode]};
    return numbers;
  }
  std::size_t numbers_of_row() const { return packed_size(static_cast<std::size_t>(made_.rank)); }

  std::uint64_t updates() const { return static_cast<std::uint64_t>(made_.sweeps) * shared_.size(); }
  // If sweeps were asked for, they get all of the budget that offsets leave.
  bool takes_pairs() const { return updates() > 0 && !request_.settings.get(setting::steps); }

  void plan() {
    if (updates() == 0) {
      of_offsets_ = curator_.plan({{.share = 1}}).front();
      return;
    }
    const double pairs = takes_pairs() ? kPairShare : 0;
    std::vector<Stage> stages{
        {.share = kFirstShare},
        {.share = (1 - kFirstShare - pairs) / static_cast<double>(updates()), .count = updates()}};
    if (takes_pairs()) stages.push_back({.share = pairs});
    const std::vector<double> noise = curator_.plan(stages);
    of_offsets_ = noise[0], of_update_ = noise[1], of_pairs_ = takes_pairs() ? noise[2] : 0;
  }

  // ---- Level, offsets, popularity ----

  double mean_of(const UserCells& data, std::size_t user) const {
    double sum = 0;
    for (std::size_t cell = data.begin(user); cell < data.end(user); ++cell)
      sum += request_.data.range().centred(data.value(cell)) / unit_;
    return std::clamp(sum / static_cast<double>(data.count(user)), -2.0, 2.0);
  }

  // A user adds her (distances from the mean of her other cells, 0.5), scaled to sqrt(1 - 2 a^2), and a (mean
  // / 2, 1): a vector of length 1 at most, since means lie in [-2, 2]. Rounding these two numbers to their
  // grid adds less than the first part is shortened by beyond its own rounding.
  std::vector<double> offset_sums(const UserCells& data) const {
    std::vector<double> means(data.users());
    for (std::size_t user = 0; user < data.users(); ++user)
      if (data.count(user) > 0) means[user] = mean_of(data, user);
    std::vector<std::size_t> all(shared_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::vector<double> released = sums_of_equal_users(
        data, request_.data.most_users(), all, 2, std::sqrt(1 - 2 * kLevelWeight * kLevelWeight),
        [&] { return OffsetTerms(data, means, request_.data.range()); }, request_.fit.block_size);
    std::ranges::copy(level_sums(data, means), std::back_inserter(released));
    return released;
  }

  std::array<double, 2> level_sums(const UserCells& data, const std::vector<double>& means) const {
    const SumGrid grid(kLevelWeight, request_.data.most_users());
    return add_up_blocks(data.users(), request_.fit.block_size, [&](std::size_t first, std::size_t last) {
      std::array<double, 2> sums{};  // of means, and of users
      for (std::size_t user = first; user < last; ++user) {
        if (data.count(user) == 0) continue;
        sums[0] += grid.round(kLevelWeight * means[user] / 2);
        sums[1] += grid.round(kLevelWeight);
      }
      return sums;
    });
  }

  using Sums = Protected<std::vector<double>>;

  // A noise multiplier, and the number of releases planned with it.
  struct Planned {
    double multiplier;
    std::uint64_t count;
  };

  // Releases the same sums once with each of these noises.
  Release release_sums(const char* id, const std::string& what, const Sums& sums, std::uint64_t numbers,
                       const std::vector<Planned>& planned, const Release* before = nullptr) {
    std::optional<Noisy> released;
    std::vector<Event> events;
    if (before) released = {before->values, before->deviation}, events = before->events;
    for (const auto& [multiplier, count] : planned) {
      for (std::uint64_t time = 0; time < count; ++time) {
        Noisy answer = curator_.release(sums, noise(multiplier, numbers), what,
                                        [](const std::vector<double>& exact) { return exact; });
        released = released ? combined(std::move(*released), answer) : std::move(answer);
      }
      if (count > 0) events.push_back(curator_.newest().event.times(count));
    }
    Release release = Release::of(id, curator_, std::move(*released));
    release.events = std::move(events);
    return release;
  }

  // Where sweeps do not pay, one half of what was planned for them releases the offsets again, the other
  // half pairs. Where pairs do not pay either, the offsets get all of it.
  Releases release_offsets_and_pairs() {
    const Sums sums = data_.map([&](const UserCells& data) { return offset_sums(data); });
    const auto release_offsets = [&](const std::vector<Planned>& planned, const Release* before = nullptr) {
      return release_sums(kOffsetSums, "sums and counts of every position", sums, numbers_of_offsets(),
                          planned, before);
    };
    Release offsets = release_offsets({{of_offsets_, 1}});
    const double users = users_in(offsets.values);
    const std::uint64_t spare = updates() > 0 && !sweeps_pay(users) ? updates() : 0;
    if (spare > 0) made_.sweeps = made_.rank = 0;
    Releases releases;
    if (of_pairs_ > 0) {
      const SharedEstimate shared(shape_, users_, request_.data.range(), offsets, 0, 0);
      const std::size_t s = shared.largest();
      const double precision =
          1 / (of_pairs_ * of_pairs_) + static_cast<double>(spare / 2) / (of_update_ * of_update_);
      const std::size_t count = frequent_positions(users, 1 / std::sqrt(precision), shape_[shared_[s]]);
      if (count > 0) {
        releases.push_back(release_pairs(s, most_popular(shared.popularity(s), count),
                                         {{of_pairs_, 1}, {of_update_, spare / 2}}));
        if (spare > 0) offsets = release_offsets({{of_update_, spare - spare / 2}}, &offsets);
      } else {
        offsets = release_offsets({{of_pairs_, 1}, {of_update_, spare}}, &offsets);
      }
    } else if (spare > 0) {
      offsets = release_offsets({{of_update_, spare}}, &offsets);
    }
    offsets.chosen = made_.numbers();
    releases.insert(releases.begin(), std::move(offsets));
    return releases;
  }

  Release release_pairs(std::size_t s, const std::vector<Index>& often, const std::vector<Planned>& planned) {
    const Sums sums = data_.map([&](const UserCells& data) {
      return frequent_pair_sums(data, request_.data.most_users(), request_.fit.block_size, s, often);
    });
    Release release =
        release_sums(kFrequentPairs, fmt::format("pairs of popular positions of mode {}", shared_[s] + 1),
                     sums, often.size() * (often.size() + 1) / 2, planned);
    release.chosen.assign(often.begin(), often.end());
    return release;
  }

  // ---- Sweeps over the shared modes ----

  std::vector<double> equation_sums(const UserCells& data, const SharedModes& shared, std::size_t s) const {
    return sums_of_equal_users(
        data, request_.data.most_users(), std::span(&s, 1), numbers_of_row(), 1,
        [&] { return EquationTerms(data, shared, request_.data.range(), s); }, request_.fit.block_size);
  }

  Release release_equations(std::size_t s, const SharedModes& shared) {
    const AdditiveNoise gaussian = noise(of_update_, shape_[shared_[s]] * numbers_of_row());
    Noisy released =
        curator_.release(data_, gaussian, fmt::format("normal equations of mode {}", shared_[s] + 1),
                         [&](const UserCells& data) { return equation_sums(data, shared, s); });
    Release release = Release::of(kEquations, curator_, std::move(released));
    release.chosen = {static_cast<double>(s)};
    return release;
  }

  const PrivateRequest& request_;
  Curator& curator_;
  const Shape shape_;
  int users_;
  double unit_;  // values are held as (x - middle) / unit, which lies in [-2, 2]
  Choices made_;
  std::vector<int> shared_;  // modes
  Protected<UserCells> data_;
  double of_offsets_ = 0, of_update_ = 0, of_pairs_ = 0;  // noise multipliers
};

}  // namespace

Measured measure_als_users(const PrivateRequest& request, Curator& curator) {
  return UserMeasurement(request, curator).run();
}

Completion estimate_als_users(const Measurement& measured, const FitOptions& fit) {
  const std::vector<const Release*> sums = measured.all(kOffsetSums);
  if (sums.empty()) fail("the releases lack '{}'; they cannot be refitted", kOffsetSums);
  const Choices made = Choices::of(*sums.front());
  const bool offsets = offsets_alone(made.wanted, fit);
  if (!offsets && made.rank > 0) {
    std::vector<std::size_t> sizes;
    for (const int mode : shared_modes(measured.shape, measured.user_mode))
      sizes.push_back(measured.shape[mode] * packed_size(static_cast<std::size_t>(made.rank)));
    check_swept(measured, kEquations, sizes);
  }
  SharedEstimate shared(measured.shape, measured.user_mode, {measured.low, measured.high}, *sums.front(),
                        offsets ? 0 : made.rank, measured.seed);
  if (!offsets)
    for (const Release* equations : measured.all(kEquations)) shared.take(*equations);
  Completion completion{.model = shared.shared_model(), .solver = "als", .converged = true};
  const std::vector<const Release*> pairs = measured.all(kFrequentPairs);
  completion.interest = shared.interest(pairs.empty() ? nullptr : pairs.front());
  completion.remarks.push_back(
      offsets ? kOffsetsOfMore
      : made.sweeps == 0
          ? std::string(
                "Released offsets and popularity without more components, for which there are too few users.")
          : fmt::format("Swept {} times over {} components beside offsets and popularity.", made.sweeps,
                        made.rank));
  return completion;
}

}  // namespace tulle
