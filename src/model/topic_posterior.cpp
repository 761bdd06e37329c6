#include <tulle/base/error.hpp>
#include <tulle/model/topic_posterior.hpp>

#include <cmath>
#include <numbers>

namespace tulle {
namespace {

constexpr double kLeastOfAWord = 1e-12;

// Fills the row with probabilities in proportion to exp(log), and returns the logarithm of their sum. A topic
// without weight has the probability 0; Eigen's exp of -infinity is above 0.
double normalize(Eigen::Ref<Eigen::RowVectorXd> log) {
  const double largest = log.maxCoeff();
  for (double& value : log) value = std::exp(value - largest);
  const double sum = log.sum();
  log /= sum;
  return largest + std::log(sum);
}

Eigen::RowVectorXd log_weights(const Topics& model) {
  return model.weights.unaryExpr([](double weight) { return std::log(weight); }).transpose();
}

}  // namespace

double TopicPosterior::perplexity() const {
  return std::exp(-log_likelihood / static_cast<double>(words));
}

TopicPosterior topic_posterior(const Topics& model, const Documents& documents) {
  if (documents.vocabulary() != static_cast<Index>(model.topics.rows()))
    fail("documents of {} words for topics of {}", documents.vocabulary(), model.topics.rows());
  const Matrix logs = model.topics.array().max(kLeastOfAWord).log();
  const Eigen::RowVectorXd weights = log_weights(model);
  TopicPosterior posterior{Matrix(static_cast<Eigen::Index>(documents.size()), model.count())};
  for (std::size_t document = 0; document < documents.size(); ++document) {
    Eigen::RowVectorXd log = weights;
    for (Index word : documents[document]) log += logs.row(word);
    posterior.log_likelihood += normalize(log);
    posterior.words += documents[document].size();
    posterior.shares.row(static_cast<Eigen::Index>(document)) = log;
  }
  return posterior;
}

TopicPosterior topic_posterior(const Topics& mixture, const Matrix& rows) {
  if (rows.cols() != mixture.topics.rows())
    fail("vectors of {} coordinates for components of {}", rows.cols(), mixture.topics.rows());
  const double constant =
      static_cast<double>(rows.cols()) / 2 * std::log(2 * std::numbers::pi * mixture.variance);
  TopicPosterior posterior{Matrix(rows.rows(), mixture.count()), 0, static_cast<std::uint64_t>(rows.rows())};
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    Eigen::RowVectorXd log = log_weights(mixture);
    log -= (mixture.topics.colwise() - rows.row(row).transpose()).colwise().squaredNorm() /
           (2 * mixture.variance);
    posterior.log_likelihood += normalize(log) - constant;
    posterior.shares.row(row) = log;
  }
  return posterior;
}

}  // namespace tulle
