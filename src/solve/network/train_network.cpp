#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/solve/network/network_pass.hpp>
#include <tulle/solve/network/train_network.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace tulle {
namespace {

class NetworkTraining {
 public:
  NetworkTraining(const FloatMatrix& prepared, const std::vector<int>& labels, const NetworkLayout& layout,
                  const TrainingOptions& options)
      : prepared_(prepared),
        labels_(labels),
        layout_(layout),
        options_(options),
        random_(options.seed, 1000),
        parameters_(layout.random_start(options.seed)),
        velocity_(layout.size()),
        gradient_(layout.size()),
        pass_(layout, parameters_) {}

  // One pass over all examples; returns the mean cross-entropy during it.
  double epoch(double rate) {
    std::vector<std::size_t> order(labels_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random_.shuffle(std::span(order));
    const std::size_t batch = std::clamp(labels_.size() / 20, std::size_t{1}, options_.batch);
    double loss = 0;
    for (std::size_t first = 0; first < order.size(); first += batch)
      loss += step(std::span(order).subspan(first, std::min(batch, order.size() - first)), rate);
    return loss / static_cast<double>(order.size());
  }

  std::vector<double> parameters() && { return std::move(parameters_); }

 private:
  double step(std::span<const std::size_t> batch, double rate) {
    FloatMatrix examples(static_cast<Eigen::Index>(batch.size()), prepared_.cols());
    std::vector<int> labels;
    for (std::size_t example : batch) {
      examples.row(static_cast<Eigen::Index>(labels.size())) =
          prepared_.row(static_cast<Eigen::Index>(example));
      labels.push_back(labels_[example]);
    }
    pass_.use(parameters_);
    pass_.forward(std::move(examples), dropout(static_cast<Eigen::Index>(batch.size())));
    pass_.backward(labels);
    std::ranges::fill(gradient_, 0.0);
    pass_.add_gradients(gradient_);
    const double prior = 1 / static_cast<double>(labels_.size()),
                 each = 1 / static_cast<double>(batch.size());
    for (std::size_t i = 0; i < gradient_.size(); ++i) {
      velocity_[i] = options_.momentum * velocity_[i] - each * gradient_[i] - prior * parameters_[i];
      parameters_[i] += rate * velocity_[i];
    }
    return pass_.loss(labels);
  }

  std::vector<FloatMatrix> dropout(Eigen::Index rows) {
    std::vector<FloatMatrix> factors;
    if (options_.dropout_rate == 0) return factors;
    for (int layer = 0; layer < layout_.layers(); ++layer) {
      const double p = layer == 0 ? options_.dropout_rate / 4 : options_.dropout_rate;
      FloatMatrix each(rows, layout_.inputs(layer));
      for (float& factor : each.reshaped<Eigen::RowMajor>())
        factor = static_cast<float>(options_.gaussian_dropout ? 1 + std::sqrt(p / (1 - p)) * random_.normal()
                                    : random_.chance(p)       ? 0
                                                              : 1 / (1 - p));
      factors.push_back(std::move(each));
    }
    return factors;
  }

  const FloatMatrix& prepared_;
  const std::vector<int>& labels_;
  const NetworkLayout& layout_;
  const TrainingOptions& options_;
  Random random_;
  std::vector<double> parameters_, velocity_, gradient_;
  NetworkPass pass_;
};

}  // namespace

TrainedNetwork train_network(const FloatMatrix& prepared, const std::vector<int>& labels,
                             const NetworkLayout& layout, const TrainingOptions& options) {
  if (!(options.dropout_rate >= 0 && options.dropout_rate < 1))
    fail_usage("a dropout rate of {}: give 0 or more, and less than 1", options.dropout_rate);
  NetworkTraining training(prepared, labels, layout, options);
  TrainedNetwork trained;
  const auto began = std::chrono::steady_clock::now();
  double before = 0;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const double loss =
        training.epoch(options.learning_rate * (1 - static_cast<double>(epoch) / options.epochs));
    if (!std::isfinite(loss)) fail("the steps grow without bound; give a smaller learning rate");
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - began;
    trained.history.push_back({.number = epoch + 1,
                               .objective = loss,
                               .change = epoch == 0 ? 1 : std::abs(loss - before) / std::max(before, 1e-300),
                               .seconds = elapsed.count(),
                               .limit = options.epochs});
    before = loss;
    if (options.observer && !options.observer(trained.history.back())) break;
  }
  trained.parameters = std::move(training).parameters();
  return trained;
}

}  // namespace tulle
