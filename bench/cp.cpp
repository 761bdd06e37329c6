// CP decomposition and completion: seconds for one iteration or epoch, on tensors made here or of a file.
//
//   bench_cp [--quick]     --quick leaves out the tensor of 10 million entries
//   bench_cp FILE.tns      the cells of a file, which other programs read too; reading it is not timed
//   bench_cp --device cuda the sparse tensor of 10 million entries on a GPU
//
// "bytes" is the least that must move between memory and cores: positions and values of the entries once a
// mode, every factor read once for each mode that is not its own and written once. "floor" is the part of the
// time that moving them takes at the speed of a plain copy, measured first; gathers from the factors, which
// are served by the caches, make up most of the rest.
#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/cuda/cuda_device.hpp>
#include <tulle/io/read.hpp>
#include <tulle/solve/cp/als.hpp>
#include <tulle/solve/cp/complete_als.hpp>
#include <tulle/solve/cp/complete_sgd.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <unordered_set>

using namespace tulle;

namespace {

constexpr int kRank = 16;

const Device* device = nullptr;  // none: the CPU

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Positions from a power law, weight (rank + 10)^-0.8, scattered over the mode; values from a non-negative CP
// model of rank 8 under noise of 0.1. A tenth of the cells, none of them the last few of their slice, is kept
// for validation.
struct Data {
  SparseTensor all, train, validation;
};

std::vector<std::vector<Index>> draw_cells(const Shape& shape, std::size_t count, Random& random) {
  const int order = shape.order();
  std::vector<std::vector<double>> cumulative(order);
  std::vector<std::vector<Index>> labels(order), columns(order);
  for (int mode = 0; mode < order; ++mode) {
    double sum = 0;
    for (Index i = 0; i < shape[mode]; ++i) cumulative[mode].push_back(sum += std::pow(i + 10.0, -0.8));
    labels[mode].resize(shape[mode]);
    std::iota(labels[mode].begin(), labels[mode].end(), Index{0});
    random.shuffle(std::span(labels[mode]));
  }
  std::unordered_set<std::size_t> taken;
  taken.reserve(count);
  std::vector<Index> cell(order);
  while (taken.size() < count) {
    for (int mode = 0; mode < order; ++mode) {
      const auto& weights = cumulative[mode];
      const auto place = std::upper_bound(weights.begin(), weights.end(), random.uniform() * weights.back());
      cell[mode] = labels[mode][std::min<std::size_t>(place - weights.begin(), weights.size() - 1)];
    }
    if (!taken.insert(shape.offset(cell)).second) continue;
    for (int mode = 0; mode < order; ++mode) columns[mode].push_back(cell[mode]);
  }
  return columns;
}

Data generate(const Shape& shape, std::size_t count, std::uint64_t seed) {
  constexpr int kTrueRank = 8;
  Random random(seed);
  auto columns = draw_cells(shape, count, random);
  std::vector<Matrix> factors;
  std::vector<std::vector<int>> counts;
  for (int mode = 0; mode < shape.order(); ++mode) {
    Matrix factor(shape[mode], kTrueRank);
    for (double& entry : factor.reshaped()) entry = random.uniform();
    factors.push_back(std::move(factor));
    counts.emplace_back(shape[mode]);
    for (Index position : columns[mode]) ++counts[mode][position];
  }
  std::vector<float> values(count);
  std::vector<std::size_t> train, validation;
  for (std::size_t e = 0; e < count; ++e) {
    Eigen::RowVectorXd product = Eigen::RowVectorXd::Ones(kTrueRank);
    bool safe = true;
    for (int mode = 0; mode < shape.order(); ++mode) {
      product.array() *= factors[mode].row(columns[mode][e]).array();
      safe = safe && counts[mode][columns[mode][e]] > 3;
    }
    values[e] = static_cast<float>(product.sum() + 0.1 * random.normal());
    (safe && random.chance(0.1) ? validation : train).push_back(e);
  }
  const SparseTensor listed(Cells(shape, columns), values, Unlisted::missing);
  return {SparseTensor(Cells(shape, std::move(columns)), std::move(values), Unlisted::zero),
          listed.select(train), listed.select(validation)};
}

// All cells of the file, as a tensor of zeros elsewhere and as one of missing cells.
Data read_data(const std::string& path) {
  SparseTensor listed = observed(read(path));
  const auto values = listed.values();
  SparseTensor all(listed.cells(), {values.begin(), values.end()}, Unlisted::zero);
  SparseTensor none(listed.shape(), Unlisted::missing);
  return {std::move(all), std::move(listed), std::move(none)};
}

double bytes_of_sweep(const SparseTensor& tensor) {
  const double order = tensor.order();
  double rows = 0;
  for (Index size : tensor.shape().dimensions()) rows += size;
  return order * tensor.size() * 4.0 * order + order * rows * kRank * 8;
}

double bytes_of_epoch(const SparseTensor& tensor) {
  double rows = 0;
  for (Index size : tensor.shape().dimensions()) rows += size;
  return tensor.size() * 4.0 * (tensor.order() + 1) + 2 * rows * (kRank + 2) * 8;
}

template <class M>
double least_seconds(const Fit<M>& fit) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < fit.history.size(); ++i)
    least = std::min(least, fit.history[i].seconds - fit.history[i - 1].seconds);
  return least;
}

void print(const std::string& name, double seconds, double bytes, nlohmann::json more = {}) {
  nlohmann::json line = {{"bench", name},
                         {"who", device ? fmt::format("tulle on {}", device->name()) : "tulle"},
                         {"seconds", seconds},
                         {"threads", threads()}};
  if (bytes > 0) line["bytes"] = bytes;
  if (more.is_object()) line.update(more);
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

template <class Options>
Options iterations(int count) {
  Options options;
  options.rank = kRank;
  options.control.max_iterations = count;
  options.control.tolerance = 0;
  options.control.device = device;
  return options;
}

void bench_speed(const std::string& size, const Data& data) {
  const double began = now();
  const auto als = cp_als(data.all, iterations<CpAlsOptions>(6));
  print("cp-als-sparse-" + size, least_seconds(als), bytes_of_sweep(data.all),
        {{"unit", "iteration"}, {"all_seconds", now() - began}});

  auto complete = iterations<CpCompletionAlsOptions>(4);
  complete.ridge = 0.5;
  print("cp-complete-als-" + size, least_seconds(complete_cp_als(data.train, complete)),
        bytes_of_sweep(data.train), {{"unit", "iteration"}, {"ridge", "fixed"}});
  complete.ridge.reset();
  print("cp-complete-als-learnt-" + size, least_seconds(complete_cp_als(data.train, complete)),
        2 * bytes_of_sweep(data.train), {{"unit", "iteration"}, {"ridge", "learnt"}});

  if (device) return;  // SGD runs on the CPU
  auto sgd = iterations<CpCompletionSgdOptions>(4);
  sgd.ridge = 0.5;
  print("cp-complete-sgd-" + size, least_seconds(complete_cp_sgd(data.train, sgd)),
        bytes_of_epoch(data.train), {{"unit", "epoch"}});
}

void bench_accuracy(const Data& data) {
  auto als = iterations<CpCompletionAlsOptions>(50);
  als.validation = &data.validation;
  const auto fit_als = complete_cp_als(data.train, als);
  auto sgd = iterations<CpCompletionSgdOptions>(50);
  sgd.validation = &data.validation;
  const auto fit_sgd = complete_cp_sgd(data.train, sgd);
  const auto best = [](const auto& fit) {
    double least = std::numeric_limits<double>::infinity();
    for (const Iteration& iteration : fit.history) least = std::min(least, iteration.validation_rmse);
    return least;
  };
  print("cp-complete-als-accuracy", fit_als.history.back().seconds, 0,
        {{"unit", "fit"}, {"rmse", best(fit_als)}, {"noise", 0.1}});
  print("cp-complete-sgd-accuracy", fit_sgd.history.back().seconds, 0,
        {{"unit", "fit"}, {"rmse", best(fit_sgd)}, {"noise", 0.1}});
}

void bench_dense() {
  const Shape shape{200, 200, 200};
  Random random(3);
  DenseTensor tensor(shape);
  for (double& value : tensor.values()) value = random.uniform();
  // Two passes over the tensor an iteration.
  print("cp-als-dense", least_seconds(cp_als(tensor, iterations<CpAlsOptions>(10))), 2.0 * 8 * tensor.size(),
        {{"unit", "iteration"}, {"shape", shape.text()}});
}

}  // namespace

int main(int argc, char** argv) try {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  if (argc > 2 && std::strcmp(argv[1], "--device") == 0) {
    device = &device_of(argv[2]);
    bench_speed("10M", generate(Shape{100'000, 50'000, 1000}, 10'000'000, 2));
    return 0;
  }
  if (argc > 1 && !quick) {
    bench_speed("file", read_data(argv[1]));
    return 0;
  }
  bench_dense();
  const Data small = generate(Shape{5000, 5000, 500}, 1'000'000, 1);
  bench_speed("1M", small);
  bench_accuracy(small);
  if (!quick) bench_speed("10M", generate(Shape{100'000, 50'000, 1000}, 10'000'000, 2));
} catch (const tulle::Error& error) {
  std::fprintf(stderr, "bench_cp: %s\n", error.what());
  return 1;
}
