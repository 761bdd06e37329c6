// What privacy costs in time when a network is trained: one epoch of method sgd beside one of method plain.
//
//   bench_network [--quick]
//
// An epoch is 100 steps on batches of 600 of 60,000 examples: 784 values, 10 classes, one hidden layer of
// 1000 units. Steps are timed on 12,000 made-up examples: fixed batches of the plain epoch, Poisson samples
// of the same expected size of the private one, whose gradients are clipped together over both layers. Each
// time is the least of several.
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/method/classification.hpp>
#include <tulle/solve/network/train_network.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string_view>

using namespace tulle;

namespace {

constexpr int kBatch = 600, kExamples = 12'000, kStepsOfAnEpoch = 100;

// Values as sparse as those of MNIST: four of five are zero.
LabelledExamples made_up_images(Eigen::Index count) {
  LabelledExamples examples{FloatMatrix::Zero(count, 784), {}, {}, 0, 0};
  Random random(1);
  for (float& value : examples.values.reshaped<Eigen::RowMajor>())
    if (random.chance(0.2)) value = static_cast<float>(random.uniform());
  for (Eigen::Index row = 0; row < count; ++row)
    examples.labels.push_back(static_cast<int>(random.below(10)));
  for (int label = 0; label < 10; ++label) examples.classes.push_back(std::to_string(label));
  return examples;
}

std::vector<Iteration> private_steps(const LabelledExamples& examples, int steps) {
  const Terms terms{.budget = {1, 1e-5}, .unit = Unit::example, .range = {0, 1}, .seed = 1};
  const double rate = static_cast<double>(kBatch) / kExamples;
  return classify(find_method("sgd", Job::classification), examples, terms,
                  Settings().set(setting::steps, steps).set(setting::sampling_rate, rate),
                  {.hidden = std::vector{1000}, .seed = 1})
      .history;
}

// Passes over all examples.
std::vector<Iteration> plain_passes(const LabelledExamples& examples, int passes) {
  const NetworkLayout layout({784, 1000, 10});
  return train_network(examples.values, examples.labels, layout, {.epochs = passes, .batch = kBatch}).history;
}

double least_time(const std::vector<Iteration>& history) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < history.size(); ++i)
    least = std::min(least, history[i].seconds - history[i - 1].seconds);
  return least;
}

void print(const std::string& who, double seconds, nlohmann::json more) {
  nlohmann::json line = {
      {"bench", "network-epoch"}, {"who", who}, {"seconds", seconds}, {"threads", threads()}};
  line.update(more);
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const bool quick = count > 1 && std::string_view(arguments[1]) == "--quick";
  const LabelledExamples examples = made_up_images(kExamples);
  const double plain =
      least_time(plain_passes(examples, quick ? 2 : 6)) * kBatch / kExamples * kStepsOfAnEpoch;
  const double privately = least_time(private_steps(examples, quick ? 5 : 60)) * kStepsOfAnEpoch;
  print("tulle plain", plain, {{"unit", "epoch"}});
  print("tulle", privately, {{"unit", "epoch"}, {"times_plain", privately / plain}});
}
