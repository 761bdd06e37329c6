#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/solve/topics/refine_mixture.hpp>
#include <tulle/tensor/decompositions.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr std::size_t kMostDerivatives = std::size_t{1} << 25;  // 256 MiB

// A^T A; only the lower triangle is set.
Eigen::MatrixXd lower_gram(const Eigen::MatrixXd& a) {
  constexpr Eigen::Index kColumns = 64;
  Eigen::MatrixXd gram(a.cols(), a.cols());
#pragma omp parallel for schedule(dynamic) if (static_cast <std::size_t>(a.size()) > kWorthThreads)
  for (Eigen::Index first = 0; first < a.cols(); first += kColumns) {
    const Eigen::Index behind = a.cols() - first, count = std::min(kColumns, behind);
    gram.block(first, first, behind, count).noalias() =
        a.rightCols(behind).transpose() * a.middleCols(first, count);
  }
  return gram;
}

// A component of mean u adds w (u, u u + s^2 I, u u u + s^2 (u_a d_bc + u_b d_ac + u_c d_ab)) to the moments.
class MixtureFit {
 public:
  MixtureFit(Topics model, const MixtureMoments& data)
      : model_(std::move(model)),
        moments_(
            Eigen::Map<const Vector>(data.moments.data(), static_cast<Eigen::Index>(data.moments.size()))),
        weights_(moments_.size()),
        size_(static_cast<std::size_t>(model_.topics.rows())) {
    const auto first = static_cast<Eigen::Index>(size_),
               second = static_cast<Eigen::Index>(pair_cells(size_));
    weights_.head(first).setConstant(data.weights[0]);
    weights_.segment(first, second).setConstant(data.weights[1]);
    weights_.tail(weights_.size() - first - second).setConstant(data.weights[2]);
  }

  std::size_t derivatives() const {
    return static_cast<std::size_t>(moments_.size()) * static_cast<std::size_t>(parameters());
  }

  const Topics& model() const { return model_; }
  double error() const { return residual(model_).squaredNorm(); }

  // One step of Levenberg-Marquardt; returns true if it decreased the objective.
  bool step(double& damping) {
    const Vector off = residual(model_);
    const Eigen::MatrixXd jacobian = derivative();
    const Eigen::MatrixXd gram = lower_gram(jacobian);
    const Vector gradient = jacobian.transpose() * off;
    const double before = off.squaredNorm();
    for (int attempt = 0; attempt < 8; ++attempt) {
      Eigen::MatrixXd damped = gram;
      damped.diagonal() += damping * (gram.diagonal().array() + 1e-12 * gram.diagonal().maxCoeff()).matrix();
      Topics next = moved(solve_symmetric(damped, gradient));
      if (residual(next).squaredNorm() < before) {
        model_ = std::move(next);
        damping /= 4;
        return true;
      }
      damping *= 8;
    }
    return false;
  }

 private:
  // The order of parameters: means, component by component; logarithms of the shares; the variance.
  Eigen::Index parameters() const { return model_.topics.size() + model_.weights.size() + 1; }

  Vector residual(const Topics& model) const { return weights_.cwiseProduct(moments_ - expected(model)); }

  Vector component(const Vector& u, double variance) const {
    Vector result(moments_.size());
    result.head(u.size()) = u;
    std::size_t at = size_;
    for_each_pair(size_, [&](std::size_t, std::size_t a, std::size_t b) {
      result[at++] = std::sqrt(orders_of(a, b)) * (u[a] * u[b] + (a == b ? variance : 0));
    });
    for_each_triple(size_, [&](std::size_t, std::size_t a, std::size_t b, std::size_t c) {
      const double noise = (b == c ? u[a] : 0) + (a == c ? u[b] : 0) + (a == b ? u[c] : 0);
      result[at++] = std::sqrt(orders_of(a, b, c)) * (u[a] * u[b] * u[c] + variance * noise);
    });
    return result;
  }

  Vector expected(const Topics& model) const {
    Vector sum = Vector::Zero(moments_.size());
    for (int k = 0; k < model.count(); ++k)
      sum += model.weights[k] * component(model.topics.col(k), model.variance);
    return sum;
  }

  // The derivative of the weighted moments.
  Eigen::MatrixXd derivative() const {
    Eigen::MatrixXd result(moments_.size(), parameters());
    const Vector all = expected(model_), mean = model_.topics * model_.weights;
#pragma omp parallel for schedule(dynamic) if (derivatives() > kWorthThreads)
    for (int k = 0; k < model_.count(); ++k) {
      const Vector u = model_.topics.col(k);
      auto of_mean = result.middleCols(k * u.size(), u.size());
      differentiate_mean(u, model_.weights[k], of_mean);
      of_mean.array().colwise() *= weights_.array();
      result.col(model_.topics.size() + k) =
          weights_.cwiseProduct(model_.weights[k] * (component(u, model_.variance) - all));
    }
    result.col(parameters() - 1) = weights_.cwiseProduct(component(mean, 1) - component(mean, 0));
    return result;
  }

  void differentiate_mean(const Vector& u, double weight, Eigen::Ref<Eigen::MatrixXd> columns) const {
    columns.setZero();
    for (std::size_t a = 0; a < size_; ++a) columns(a, a) = weight;
    std::size_t at = size_;
    for_each_pair(size_, [&](std::size_t, std::size_t a, std::size_t b) {
      const double scale = weight * std::sqrt(orders_of(a, b));
      columns(at, a) += scale * u[b];
      columns(at, b) += scale * u[a];
      ++at;
    });
    const double variance = model_.variance;
    for_each_triple(size_, [&](std::size_t, std::size_t a, std::size_t b, std::size_t c) {
      const double scale = weight * std::sqrt(orders_of(a, b, c));
      columns(at, a) += scale * (u[b] * u[c] + (b == c ? variance : 0));
      columns(at, b) += scale * (u[a] * u[c] + (a == c ? variance : 0));
      columns(at, c) += scale * (u[a] * u[b] + (a == b ? variance : 0));
      ++at;
    });
  }

  Topics moved(const Vector& step) const {
    Topics next = model_;
    const Eigen::Index size = next.topics.rows();
    for (int k = 0; k < next.count(); ++k) {
      next.topics.col(k) += step.segment(k * size, size);
      next.weights[k] *= std::exp(std::clamp(step[next.topics.size() + k], -2.0, 2.0));
    }
    next.weights /= next.weights.sum();
    next.variance = std::max(next.variance + step[step.size() - 1], next.variance / 4);
    return next;
  }

  Topics model_;
  Vector moments_, weights_;
  std::size_t size_;
};

}  // namespace

Topics refine(Topics start, const MixtureMoments& data, int max_iterations) {
  const auto size = static_cast<std::size_t>(start.topics.rows());
  if (data.moments.size() != size + pair_cells(size) + triple_cells(size))
    fail("refining a mixture: {} moments of {} coordinates", data.moments.size(), size);
  MixtureFit fit(std::move(start), data);
  if (fit.derivatives() > kMostDerivatives) return fit.model();
  double damping = 1e-3, before = fit.error();
  for (int iteration = 0; iteration < max_iterations && fit.step(damping); ++iteration) {
    const double now = fit.error();
    if (before - now < 1e-9 * before) break;
    before = now;
  }
  return fit.model();
}

}  // namespace tulle
