// Differentially private matrix factorization (Hua, Xia and Zhong, IJCAI 2015), with which ermis2020 compares
// (figures 7.5 (b) and 7.12, table 7.6). What is here follows that paper's outline, not its code:
// - a user keeps her ratings and her row u_i, |u_i| <= 1; the recommender has the items' rows v_j;
// - objective perturbation: the items minimise
//     sum over the cells of (x_ij - u_i v_j)^2 + ridge sum |v_j|^2 + sum_j eta_j v_j,
//   eta_j of K coordinates, Laplace of scale 2 sqrt(K) Delta / epsilon, Delta the width of the range;
// - the proof: two data sets with the same minimiser have eta that differ by 2 u_i (x_ij - x'_ij), of L1 norm
//   2 sqrt(K) Delta at most.
// Given the users' rows the objective is quadratic, so its minimiser is known: eta is noise on the linear
// terms 2 sum_i x_ij u_i, which is how it is drawn here. Left out: the protocol by which users add up parts
// of eta, each of her own, so that the recommender sees no gradient of a single user; and an update of users'
// rows after the noise, so that they are what the descent without noise has made them.
#include "hua2015.hpp"

#include "crafted.hpp"
#include "methods.hpp"
#include "published_sgd.hpp"

#include <tulle/base/error.hpp>
#include <tulle/tensor/decompositions.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr int kHuaPasses = 50;
constexpr double kHuaRate = 0.02;
constexpr double kHuaRidge = 0.01;  // of the descent
constexpr double kItemRidge = 10;   // of the perturbed objective, in cells
constexpr double kLongestUser = 1;

void shorten_users(PublishedSgd& fit, const ModelLayout& layout, int users) {
  const std::size_t columns = layout.columns(users);
  for (std::size_t user = 0; user < layout.shape()[users]; ++user) {
    double* const row = fit.numbers().data() + layout.row(users, user);
    double squares = 0;
    for (std::size_t k = 0; k < columns; ++k) squares += row[k] * row[k];
    const double factor = 1 / std::max(1.0, std::sqrt(squares) / kLongestUser);
    for (std::size_t k = 0; k < columns; ++k) row[k] *= factor;
  }
}

// The users' rows: by descent without noise.
PublishedSgd descended(const SparseTensor& observed, const PrivateRequest& request, const ModelLayout& layout,
                       const Standard& standard) {
  PublishedSgd fit(observed, layout, standard, {.weight = 0.5, .ridge = kHuaRidge}, request.fit.seed);
  const int passes = request.settings.get(setting::steps).value_or(kHuaPasses);
  const double rate = request.settings.get(setting::learning_rate).value_or(kHuaRate);
  for (int pass = 0; pass < passes; ++pass) {
    fit.pass(rate);
    shorten_users(fit, layout, request.terms.user_mode);
  }
  return fit;
}

Completion complete_hua(const PrivateRequest& request, Curator& curator) {
  if (request.data.shape().order() != 2) fail_usage("method hua2015 is for matrices; use dpfact for tensors");
  const ModelLayout layout = layout_of(request);
  const int users = request.terms.user_mode, items = 1 - users;
  const Standard standard{0, request.data.range().largest()};
  const double ridge = request.fit.ridge.value_or(kItemRidge);
  curator.set_joint();
  const auto fitted = request.data.observed().map(
      [&](const SparseTensor& observed) { return descended(observed, request, layout, standard); });
  const auto of = [&](const PublishedSgd& fit) { return ItemFit{fit.observed(), layout, users, standard}; };
  const double most = 2 * std::sqrt(static_cast<double>(layout.columns(items))) *
                      request.data.largest_change() / standard.scale;
  const Noisy terms =
      curator.release(fitted,
                      AdditiveNoise::laplace(Sensitivity::l1(most, request.terms.unit, request.relation),
                                             request.terms.budget.epsilon, layout.factor_size(items)),
                      "linear terms of the objective of the items",
                      [&](const PublishedSgd& fit) { return of(fit).linear_terms(fit.numbers()); });

  const PublishedSgd& fit = released_without_noise(fitted);
  std::vector<double> whole = fit.numbers();
  const std::vector<double> rows = of(fit).minimiser(whole, terms.values, ridge);
  std::ranges::copy(rows, whole.begin() + static_cast<std::ptrdiff_t>(layout.start(items)));
  std::vector<double> shared = whole;
  std::fill_n(shared.begin() + static_cast<std::ptrdiff_t>(layout.start(users)), layout.factor_size(users),
              0.0);
  return {.model = to_model(layout, shared, standard.level, standard.scale),
          .solver = "objective perturbation",
          .with_user_rows = Protected<Model>(to_model(layout, whole, standard.level, standard.scale)),
          .remarks = {fmt::format("Laplace noise of scale {:.4g} on the linear terms of the items.",
                                  most / request.terms.budget.epsilon)}};
}

}  // namespace

std::vector<double> ItemFit::linear_terms(std::span<const double> parameters) const {
  const int items = 1 - users;
  const std::size_t columns = layout.columns(items);
  std::vector<double> terms(layout.factor_size(items));
  for (std::size_t entry = 0; entry < observed.size(); ++entry) {
    const double twice = 2 * (observed.values()[entry] - standard.level) / standard.scale;
    const double* const user = parameters.data() + layout.row(users, observed.column(users)[entry]);
    double* const term = terms.data() + observed.column(items)[entry] * columns;
    for (std::size_t k = 0; k < columns; ++k) term[k] += twice * user[k];
  }
  return terms;
}

std::vector<double> ItemFit::minimiser(std::span<const double> parameters, std::span<const double> terms,
                                       double ridge) const {
  const int items = 1 - users;
  const auto columns = static_cast<Eigen::Index>(layout.columns(items));
  std::vector<Eigen::MatrixXd> squares(layout.shape()[items], Eigen::MatrixXd::Zero(columns, columns));
  for (std::size_t entry = 0; entry < observed.size(); ++entry) {
    const Eigen::Map<const Vector> user(parameters.data() + layout.row(users, observed.column(users)[entry]),
                                        columns);
    squares[observed.column(items)[entry]] += user * user.transpose();
  }
  std::vector<double> rows(terms.size());
  for (std::size_t item = 0; item < squares.size(); ++item) {
    const std::size_t at = item * layout.columns(items);
    const Eigendecomposition eigen = eigendecomposition(squares[item]);
    const Eigen::Map<const Vector> term(terms.data() + at, columns);
    Vector solution = eigen.vectors.transpose() * term / 2;
    for (Eigen::Index k = 0; k < columns; ++k) solution[k] /= std::max(eigen.values[k], 0.0) + ridge;
    Eigen::Map<Vector>(rows.data() + at, columns) = eigen.vectors * solution;
  }
  return rows;
}

namespace {

// The last of many values of one user: its effect on her row reaches all of her items.
CraftedTensor value_of_active_user() {
  return {.canary = "the last of 10 values of a user",
          .data = cells_of({2, 10},
                           [](auto cell, double secret) {
                             if (cell[0] == 0) return cell[1] == 9 ? 1 : kNoCell;
                             return cell[1] == 9 ? secret : 1;
                           }),
          .graded = true};
}

}  // namespace

Method hua2015_method() {
  return {
      .name = "hua2015",
      .title = "items that minimise a noisy objective; users' rows stay with the users",
      .source = "Hua, Xia and Zhong 2015, as described by ermis2020",
      .guarantee = "none is proven",
      .details =
          "Model cp, of matrices. Published form only: users' rows come from gradient descent and stay with "
          "the users; the items minimise squared errors plus a linear term drawn from a Laplace "
          "distribution.",
      .models = {ModelKind::cp},
      .protects = {{Unit::entry, Relation::replace}},
      .settings = {takes(setting::steps, fmt::format("{}", kHuaPasses), {.least = 1}),
                   takes(setting::learning_rate, fmt::format("{}", kHuaRate), {.above = 0})},
      .reads = {FitOption::rank, FitOption::ridge},
      .published = complete_hua,
      .why_unproven =
          "the proof holds users' rows fixed, but they are fitted to the ratings without noise, and so are "
          "the quadratic terms of the items: a rating that changes changes its user's row and, through the "
          "items, the rows of others",
      .instead = "method output, which perturbs solutions by noise of proven scale",
      .worst_cases = {{.data = value_of_active_user(),
                       .calibration = Calibration::published,
                       .settings = Settings().set(setting::steps, 2).set(setting::learning_rate, 1.5)}}};
}

}  // namespace tulle
