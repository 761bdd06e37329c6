// Coupled factorization: a sweep over all factors.
//
//   bench_coupled [--quick]
//
// coupled-links: comments (user x story x comment, 9,583 x 44,005 x 241,800, 151,779 entries) and keywords of
// the stories (story x keyword x topic, 44,005 x 13,714 x 51, 1,157,529 entries), the sizes of Ermis 2020,
// section 6.1.2; rank 10, Kullback-Leibler, zeros included, multiplicative updates.
//
// coupled-DENSITY: eight matrices X_i = B_i diag(a_i) C^T with C in common, 500 x 400 with all cells, or 2000
// x 1000 of which so many are not zero; rank 10, least squares with factors >= 0 by multiplicative updates.
// coupled-dense-fit, coupled-signed-fit: the whole time of a fit to the dense matrices, from tables in memory
// to a relative error at most 0.5 % above that of 1000 sweeps, with factors >= 0 (hals) or of any sign (als).
// stacked-DENSITY: the same matrices as one tensor, whose model is CP: B is shared as well.
// coupled-signed, stacked-signed: 500 x 400 with all cells and factors of any sign, by alternating least
// squares. Peers hold sparse data as dense arrays.
//
// Seconds are the mean of 20 sweeps after the first two, with the objective after each; error is that of the
// model after 22 sweeps, relative to the norm of the data.
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/solve/coupled/least_squares.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>

using namespace tulle;

namespace {

constexpr Index kRank = 10;
constexpr Index kMatrices = 8;
constexpr std::size_t kWarmUp = 2;  // sweeps that are not measured

SparseTensor links(const Shape& shape, std::size_t count, std::uint64_t seed) {
  SparseTensor data = sparse_low_rank(shape, count, 4, 0, 0.8, seed);
  for (float& value : data.values()) value = 1;
  return {data.cells(), {data.values().begin(), data.values().end()}, Unlisted::zero};
}

Study digg_sized(std::size_t part) {
  const Index users = static_cast<Index>(9583 / part), stories = static_cast<Index>(44005 / part),
              comments = static_cast<Index>(241800 / part), words = static_cast<Index>(13714 / part);
  Study study;
  for (const char* name : {"user", "story", "comment", "keyword", "topic"})
    study.entities.push_back({name, {}});
  study.model.axes = {{"u", "user", users},    {"s", "story", stories}, {"c", "comment", comments},
                      {"w", "keyword", words}, {"t", "topic", 51},      {"k", "", kRank}};
  study.model.factors = {
      {"U", {0, 5}, {}}, {"S", {1, 5}, {}}, {"C", {2, 5}, {}}, {"W", {3, 5}, {}}, {"T", {4, 5}, {}}};
  study.model.products = {{"X", {0, 1, 2}, {0, 1, 2}}, {"Y", {1, 3, 4}, {1, 3, 4}}};
  study.tables.push_back(
      {.data = links(Shape{users, stories, comments}, std::max<std::size_t>(151779 / part, comments), 1)});
  study.tables.push_back({.data = links(Shape{stories, words, 51}, 1157529 / part, 2)});
  study.priors.resize(5);
  return study;
}

// Low-rank values with noise, of which so many are kept.
SparseTensor low_rank_matrix(const Matrix& left, const Matrix& right, double density, Random& random) {
  SparseTensor data(Shape{static_cast<Index>(left.rows()), static_cast<Index>(right.rows())},
                    density < 1 ? Unlisted::zero : Unlisted::missing);
  for (Index r = 0; r < data.shape()[0]; ++r)
    for (Index c = 0; c < data.shape()[1]; ++c)
      if (density == 1 || random.chance(density))
        data.append(std::array{r, c},
                    static_cast<float>(left.row(r).dot(right.row(c)) / kRank + 0.1 * random.uniform()));
  return data;
}

Matrix uniform_matrix(Index rows, Random& random) {
  Matrix matrix(rows, kRank);
  for (double& value : matrix.reshaped()) value = random.uniform();
  return matrix;
}

// X_i[r,c] = B_i[r,k] C[c,k] A_i[k]
Study coupled_matrices(Index rows, Index columns, double density) {
  Study study;
  study.model.axes = {{"c", "column", columns}, {"k", "", kRank}};
  study.model.factors = {{"C", {0, 1}, {}}};
  study.entities = {{"column", {}}};
  Random random(3);
  const Matrix shared = uniform_matrix(columns, random);
  for (int i = 0; i < static_cast<int>(kMatrices); ++i) {
    const std::string name = fmt::format("row{}", i);
    study.entities.push_back({name, {}});
    const int axis = static_cast<int>(study.model.axes.size()), b = 2 * i + 1, a = 2 * i + 2;
    study.model.axes.push_back({name, name, rows});
    study.model.factors.push_back({fmt::format("B{}", i), {axis, 1}, {}});
    study.model.factors.push_back({fmt::format("A{}", i), {1}, {}});
    study.model.products.push_back({fmt::format("X{}", i), {axis, 0}, {b, 0, a}});
    study.tables.push_back({.data = low_rank_matrix(uniform_matrix(rows, random), shared, density, random),
                            .divergence = Euclidean{}});
  }
  study.priors.resize(study.model.factors.size());
  return study;
}

// X[i,r,c] = A[i,k] B[r,k] C[c,k]
Study stacked_matrices(Index rows, Index columns, double density) {
  const Study parts = coupled_matrices(rows, columns, density);
  SparseTensor data(Shape{kMatrices, rows, columns}, density < 1 ? Unlisted::zero : Unlisted::missing);
  for (Index i = 0; i < kMatrices; ++i)
    for (std::size_t entry = 0; entry < parts.tables[i].data.size(); ++entry)
      data.append(std::array{i, parts.tables[i].data.column(0)[entry], parts.tables[i].data.column(1)[entry]},
                  parts.tables[i].data.values()[entry]);
  Study study;
  study.entities = {{"matrix", {}}, {"row", {}}, {"column", {}}};
  study.model.axes = {
      {"i", "matrix", kMatrices}, {"r", "row", rows}, {"c", "column", columns}, {"k", "", kRank}};
  study.model.factors = {{"A", {0, 3}, {}}, {"B", {1, 3}, {}}, {"C", {2, 3}, {}}};
  study.model.products = {{"X", {0, 1, 2}, {0, 1, 2}}};
  study.tables.push_back({.data = std::move(data), .divergence = Euclidean{}});
  study.priors.resize(3);
  return study;
}

enum class Solver { multiplicative, hals, least_squares };

Fit<Coupled> fit(const Study& study, Solver solver, const Control& control) {
  return solver == Solver::multiplicative
             ? fit_multiplicative(study, {}, control)
             : fit_least_squares(study, {.nonnegative = solver == Solver::hals}, control);
}

// Of a Euclidean study, whose objective is half of the squared error.
double relative_error(const Study& study, double objective) {
  double squares = 0;
  for (const Table& table : study.tables)
    for (float value : table.data.values()) squares += static_cast<double>(value) * value;
  return std::sqrt(2 * std::max(objective, 0.0) / squares);
}

void bench_fit(const std::string& name, const Study& study, Solver solver) {
  constexpr double kAbove = 1.005;
  constexpr int kSweeps = 1000, kRepeats = 5;
  const double best =
      fit(study, solver, {.max_iterations = kSweeps, .tolerance = 0, .seed = 1}).history.back().objective;
  std::vector<double> seconds;
  Fit<Coupled> result;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const auto began = std::chrono::steady_clock::now();
    result =
        fit(study, solver,
            {.max_iterations = kSweeps, .tolerance = 0, .seed = 1, .observer = [&](const Iteration& now) {
               return now.objective > kAbove * kAbove * best;
             }});
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
  }
  std::ranges::nth_element(seconds, seconds.begin() + kRepeats / 2);
  std::puts(nlohmann::json{{"bench", name},
                           {"who", "tulle"},
                           {"seconds", seconds[kRepeats / 2]},
                           {"unit", "fit"},
                           {"sweeps", result.history.size()},
                           {"error", relative_error(study, result.history.back().objective)},
                           {"least_error", relative_error(study, best)},
                           {"threads", threads()}}
                .dump()
                .c_str());
  std::fflush(stdout);
}

void bench_sweeps(const std::string& name, const Study& study, Solver solver, int sweeps) {
  std::vector<std::clock_t> clocks;  // processor time of all threads, which other programs do not change
  const Observer observer = [&](const Iteration&) {
    clocks.push_back(std::clock());
    return true;
  };
  const Control control{.max_iterations = sweeps, .tolerance = 0, .seed = 1, .observer = observer};
  const auto result = fit(study, solver, control);
  const std::size_t last = clocks.size() - 1;
  const double count = static_cast<double>(last - kWarmUp + 1);
  const double processor = static_cast<double>(clocks[last] - clocks[kWarmUp - 1]) / CLOCKS_PER_SEC / count;
  const double seconds = (result.history[last].seconds - result.history[kWarmUp - 1].seconds) / count;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  nlohmann::json line = {{"bench", name},
                         {"who", "tulle"},
                         {"seconds", seconds},
                         {"unit", "sweep"},
                         {"processor_seconds", processor},
                         {"threads", threads()},
                         {"peak_mib", usage.ru_maxrss / 1024}};
  if (is<Euclidean>(study.tables[0].divergence))
    line["error"] = relative_error(study, result.history.back().objective);
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const int sweeps = quick ? 3 : 22;
  bench_sweeps("coupled-links", digg_sized(quick ? 20 : 1), Solver::multiplicative, quick ? 3 : 12);
  const Index part = quick ? 10 : 1;
  const Study matrices = coupled_matrices(500 / part, 400 / part, 1);
  bench_fit("coupled-dense-fit", matrices, Solver::hals);
  bench_fit("coupled-signed-fit", matrices, Solver::least_squares);
  using Make = Study (*)(Index, Index, double);
  for (const auto& [name, make] : {std::pair<const char*, Make>("coupled", coupled_matrices),
                                   std::pair<const char*, Make>("stacked", stacked_matrices)}) {
    const Study dense = make(500 / part, 400 / part, 1);
    bench_sweeps(fmt::format("{}-dense", name), dense, Solver::multiplicative, sweeps);
    bench_sweeps(fmt::format("{}-signed", name), dense, Solver::least_squares, sweeps);
    for (const auto& [share, density] : {std::pair("1%", 0.01), std::pair("0.1%", 0.001)})
      bench_sweeps(fmt::format("{}-{}", name, share), make(2000 / part, 1000 / part, density),
                   Solver::multiplicative, sweeps);
  }
}
