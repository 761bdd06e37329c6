// Tucker solvers. "bytes" counts what has to move: HOOI reads the whole tensor twice an iteration, HOSVD
// once; a completion sweep reads every observed cell (positions and value) once a mode and twice for the
// core.
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/solve/tucker/complete_als.hpp>
#include <tulle/solve/tucker/complete_sgd.hpp>
#include <tulle/solve/tucker/hooi.hpp>
#include <tulle/tensor/kernels/norms.hpp>

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdio>

namespace {

using namespace tulle;
using Json = nlohmann::json;

Tucker random_model(const std::vector<std::uint64_t>& sizes, const std::vector<std::uint64_t>& ranks,
                    Random& random) {
  Tucker model{DenseTensor(Shape(ranks)), {}, {}};
  for (double& value : model.core.values()) value = random.normal();
  for (std::size_t mode = 0; mode < sizes.size(); ++mode) {
    Matrix& factor = model.factors.emplace_back(sizes[mode], ranks[mode]);
    for (double& value : factor.reshaped()) value = random.normal();
  }
  return model;
}

template <class Run>
double least_seconds(int repeats, Run&& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto began = std::chrono::steady_clock::now();
    run();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  return least;
}

void print(const std::string& bench, double seconds, double bytes, const std::string& note, Json more = {}) {
  Json line = {{"bench", bench}, {"who", "tulle"}, {"seconds", seconds}, {"bytes", bytes}, {"note", note}};
  if (!more.is_null()) line.update(more);
  std::printf("%s\n", line.dump().c_str());
}

void dense() {
  Random random(1);
  DenseTensor tensor = random_model({200, 200, 200}, {10, 10, 10}, random).reconstruct();
  const double noise = norm(tensor) / std::sqrt(static_cast<double>(tensor.size()));
  for (double& value : tensor.values()) value += noise * random.normal();
  const double square = squared_norm(tensor), bytes = 8.0 * static_cast<double>(tensor.size());
  TuckerOptions options;
  options.ranks = {10, 10, 10};
  options.control.tolerance = -1;
  options.control.max_iterations = 10;
  double error = 0;
  double seconds = least_seconds(5, [&] { error = hosvd(tensor, options).history.back().objective; });
  print("tucker-hosvd-dense", seconds, bytes, "200x200x200, rank 10,10,10",
        {{"error", std::sqrt(error / square)}});
  seconds = least_seconds(5, [&] { error = hooi(tensor, options).history.back().objective; });
  print("tucker-hooi-dense", seconds, 21 * bytes, "200x200x200, rank 10,10,10, HOSVD start and 10 iterations",
        {{"error", std::sqrt(error / square)}});
}

SparseTensor observed_cells(const Tucker& truth, std::size_t count, double noise, Unlisted unlisted,
                            Random& random) {
  const Shape shape = truth.shape();
  Cells cells(shape);
  std::array<Index, kMaxOrder> cell{};
  for (std::size_t entry = 0; entry < count; ++entry) {
    for (int mode = 0; mode < shape.order(); ++mode)
      cell[mode] = static_cast<Index>(random.below(shape[mode]));
    cells.append(std::span(cell.data(), shape.order()));
  }
  std::vector<float> values;
  for (double value : truth.predict(cells))
    values.push_back(static_cast<float>(value + noise * random.normal()));
  return {std::move(cells), std::move(values), unlisted};
}

void sparse() {
  constexpr std::size_t kCells = 1'000'000;
  Random random(2);
  const Tucker truth = random_model({2000, 1000, 500}, {8, 8, 8}, random);
  const double cell_bytes = 3 * sizeof(Index) + sizeof(float);
  const std::string note = "2000x1000x500, 1,000,000 cells, rank 8,8,8";

  const SparseTensor zeros = observed_cells(truth, kCells, 1, Unlisted::zero, random);
  TuckerOptions hooi_options;
  hooi_options.ranks = {8, 8, 8};
  hooi_options.control.tolerance = -1;
  const auto an_iteration = [](const auto& fit) {
    return (fit.history.back().seconds - fit.history.front().seconds) /
           static_cast<double>(fit.history.size() - 1);
  };
  hooi_options.control.max_iterations = 6;
  print("tucker-hooi-sparse", an_iteration(hooi(zeros, hooi_options)), 3 * cell_bytes * kCells,
        note + "; an iteration");

  const SparseTensor observed = observed_cells(truth, kCells, 1, Unlisted::missing, random);
  TuckerCompletionAlsOptions als;
  als.ranks = {8, 8, 8};
  als.control.tolerance = -1;
  als.control.max_iterations = 6;
  print("tucker-complete-als", an_iteration(complete_tucker_als(observed, als)), 5 * cell_bytes * kCells,
        note + "; an iteration");
  TuckerCompletionSgdOptions sgd;
  sgd.ranks = {8, 8, 8};
  sgd.control.tolerance = -1;
  sgd.control.max_iterations = 6;
  print("tucker-complete-sgd", an_iteration(complete_tucker_sgd(observed, sgd)), 2 * cell_bytes * kCells,
        note + "; an epoch");
}

}  // namespace

int main() {
  dense();
  sparse();
}
