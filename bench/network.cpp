// What privacy costs in time when a network is trained: one epoch of method sgd beside one of method plain.
//
//   bench_network [--quick]
//
// 60,000 examples of 784 values in 10 classes (6,000 with --quick), one hidden layer of 1000 units, batches
// of 600: fixed ones of the plain epoch, Poisson samples of that expected size of the private one, whose
// gradients are clipped together over both layers. Times are of one step each, the least of several, times
// the steps of an epoch.
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/method/classification.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string_view>

using namespace tulle;

namespace {

constexpr int kBatch = 600, kSteps = 40;

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

ClassificationOutcome train(const char* method, const LabelledExamples& examples, const Settings& settings) {
  const Terms terms{.budget = {1, 1e-5}, .unit = Unit::example, .range = {0, 1}, .seed = 1};
  return classify(find_method(method, Job::classification), examples, terms, settings,
                  {.hidden = std::vector{1000}, .seed = 1});
}

double least_step(const ClassificationOutcome& outcome) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < outcome.history.size(); ++i)
    least = std::min(least, outcome.history[i].seconds - outcome.history[i - 1].seconds);
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
  const Eigen::Index size = quick ? 6'000 : 60'000;
  const LabelledExamples examples = made_up_images(size);
  const double steps = static_cast<double>(size) / kBatch;
  // Epochs of the plain run are what its history has.
  const double plain = least_step(train("plain", examples, Settings().set(setting::steps, 3)));
  const double step = least_step(train("sgd", examples,
                                       Settings()
                                           .set(setting::steps, kSteps)
                                           .set(setting::sampling_rate, kBatch / static_cast<double>(size))));
  print("tulle plain", plain, {{"unit", "epoch"}});
  print("tulle", steps * step, {{"unit", "epoch"}, {"times_plain", steps * step / plain}});
}
