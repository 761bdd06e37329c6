// What privacy costs in time: a private gradient step beside a plain pass over as many cells, and a private
// sweep over whole users beside a plain epoch.
//
//   bench_private
//
// 1 M cells of a 5000 x 5000 x 500 tensor, rank 16. The private step takes a Poisson sample of a tenth of the
// cells, sums their clipped gradients and adds exact noise to all 168,000 numbers of the model; the plain
// pass is a tenth of an epoch of complete_cp_sgd. "parts" says where the time of a step goes. The sweeps are
// those of method als for unit user, at rank 4 and 16, on 1 M cells of 10,000 users x 20,000 x 500; the plain
// epoch is one of complete_cp_als with a fixed ridge.
#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/solve/cp/complete_als.hpp>
#include <tulle/solve/cp/complete_sgd.hpp>
#include <tulle/tensor/kernels/clipped_gradients.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <functional>

using namespace tulle;

namespace {

constexpr int kRank = 16;
constexpr double kRate = 0.1;
constexpr int kSteps = 12;

double least_seconds(const std::vector<Iteration>& history) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < history.size(); ++i)
    least = std::min(least, history[i].seconds - history[i - 1].seconds);
  return least;
}

double seconds_of(const std::function<void()>& work) {
  const auto began = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

double least_seconds(const std::function<void()>& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kSteps; ++i) least = std::min(least, seconds_of(work));
  return least;
}

void print(const std::string& bench, const std::string& who, double seconds, nlohmann::json more) {
  nlohmann::json line = {{"bench", bench}, {"who", who}, {"seconds", seconds}, {"threads", threads()}};
  line.update(more);
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

double private_step(const SparseTensor& data) {
  const Terms terms{.budget = {1, 1e-7}, .range = {0, 4}};
  const Settings settings = Settings().set(setting::steps, kSteps).set(setting::sampling_rate, kRate);
  return least_seconds(
      complete_privately(find_method("gradient"), data, terms, settings, {.ranks = {kRank}}).history);
}

double plain_pass(const SparseTensor& data) {
  CpCompletionSgdOptions options{.rank = kRank, .ridge = 0.5};
  options.control = {.max_iterations = kSteps / 2, .tolerance = 0};
  return kRate * least_seconds(complete_cp_sgd(data, options).history);
}

// The same work piece by piece: which units, their gradients, the noise.
nlohmann::json parts_of_a_step(const SparseTensor& data) {
  const ModelLayout layout = ModelLayout::cp(data.shape(), kRank);
  const CellGradients gradients(data, layout, {2, 2}, kRate);
  const std::vector<double> numbers(layout.size(), 0.5);
  Curator curator = Curator::as_published({"a benchmark", {1, 0}, "nobody asked"}, Unit::entry,
                                          Relation::replace, RandomBits::secure());
  const PoissonSampler sampler(kRate);
  const auto noise =
      AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::entry, Relation::replace), 1, layout.size());
  std::vector<std::uint64_t> cells;
  curator.release(Protected(0), curator.sample(sampler, data.size()), noise, "the cells of a step",
                  [&](int, const std::vector<std::uint64_t>& units) {
                    cells = units;
                    return std::vector<double>(layout.size());
                  });
  const Protected<std::vector<double>> sum(gradients.sum(numbers, cells, 1).numbers);
  return {{"coins", least_seconds([&] { curator.sample(sampler, data.size()); })},
          {"gradients", least_seconds([&] { gradients.sum(numbers, cells, 1); })},
          {"noise", least_seconds([&] {
             curator.release(sum, noise, "sum", [](const std::vector<double>& all) { return all; });
           })}};
}

// The difference of two runs leaves out what is done once.
double user_sweep(const SparseTensor& data, int rank) {
  const Terms terms{.budget = {1, 1e-9}, .unit = Unit::user, .user_mode = 0, .range = {-5, 5}};
  const auto seconds = [&](int sweeps) {
    double least = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 3; ++run)
      least = std::min(least, seconds_of([&] {
                         complete_privately(find_method("als"), data, terms,
                                            Settings().set(setting::steps, sweeps), {.ranks = {rank}});
                       }));
    return least;
  };
  return (seconds(4) - seconds(1)) / 3;
}

double plain_epoch(const SparseTensor& data, int rank) {
  CpCompletionAlsOptions options{.rank = rank, .ridge = 0.5};
  options.control = {.max_iterations = 6, .tolerance = 0};
  return least_seconds(complete_cp_als(data, options).history);
}

void bench_users() {
  const SparseTensor data = sparse_low_rank(Shape{10'000, 20'000, 500}, 1'000'000, 8, 0.1, 0.8, 1);
  for (int rank : {4, 16}) {
    const double epoch = plain_epoch(data, rank), sweep = user_sweep(data, rank);
    const std::string bench = "private-user-sweep-rank-" + std::to_string(rank);
    print(bench, "tulle plain als", epoch, {{"unit", "epoch"}});
    print(bench, "tulle private sweep", sweep, {{"unit", "sweep"}, {"times_plain", sweep / epoch}});
  }
}

}  // namespace

int main() {
  const SparseTensor data = sparse_low_rank(Shape{5000, 5000, 500}, 1'000'000, 8, 0.1, 0.8, 1);
  const double plain = plain_pass(data), step = private_step(data);
  print("private-step", "tulle plain sgd", plain,
        {{"unit", "pass"}, {"cells", kRate * static_cast<double>(data.size())}});
  print("private-step", "tulle private step", step,
        {{"unit", "step"}, {"times_plain", step / plain}, {"parts", parts_of_a_step(data)}});
  bench_users();
}
