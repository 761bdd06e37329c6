// Coupled factorization: a sweep over all factors.
//
//   bench_coupled [--quick]
//
// coupled-links: comments (user x story x comment, 9,583 x 44,005 x 241,800, 151,779 entries) and keywords of
// the stories (story x keyword x topic, 44,005 x 13,714 x 51, 1,157,529 entries), the sizes of Ermis 2020,
// section 6.1.2; rank 10, Kullback-Leibler, zeros included, multiplicative updates.
//
// coupled-dense, coupled-1%, coupled-0.1%: eight matrices with one mode in common, 500 x 400 all cells, or
// 2000 x 1000 of which so many are not zero; rank 10, least squares with factors >= 0. Peers hold sparse data
// as dense arrays.
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/data/generate.hpp>
#include <tulle/solve/coupled/multiplicative.hpp>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

using namespace tulle;

namespace {

constexpr Index kRank = 10;
constexpr int kMatrices = 8;

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

// X_i[r,c] = B_i[r,k] C[c,k]
Study coupled_matrices(Index rows, Index columns, double density) {
  Study study;
  study.model.axes = {{"c", "column", columns}, {"k", "", kRank}};
  study.model.factors = {{"C", {0, 1}, {}}};
  study.entities = {{"column", {}}};
  Random random(3);
  for (int i = 0; i < kMatrices; ++i) {
    const std::string name = fmt::format("row{}", i);
    study.entities.push_back({name, {}});
    const int axis = static_cast<int>(study.model.axes.size());
    study.model.axes.push_back({name, name, rows});
    study.model.factors.push_back({fmt::format("B{}", i), {axis, 1}, {}});
    study.model.products.push_back({fmt::format("X{}", i), {axis, 0}, {i + 1, 0}});
    SparseTensor data(Shape{rows, columns}, density < 1 ? Unlisted::zero : Unlisted::missing);
    for (Index r = 0; r < rows; ++r)
      for (Index c = 0; c < columns; ++c)
        if (density == 1 || random.chance(density))
          data.append(std::array{r, c}, static_cast<float>(random.uniform()));
    study.tables.push_back({.data = std::move(data), .power = 0});
  }
  study.priors.resize(study.model.factors.size());
  return study;
}

void bench_sweeps(const char* name, const Study& study, int sweeps) {
  std::vector<std::clock_t> clocks;  // processor time of all threads, which other programs do not change
  const Observer observer = [&](const Iteration&) {
    clocks.push_back(std::clock());
    return true;
  };
  const Control control{.max_iterations = sweeps, .tolerance = 0, .seed = 1, .observer = observer};
  const auto fit = fit_multiplicative(study, {}, control);
  double processor = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < clocks.size(); ++i)
    processor = std::min(processor, static_cast<double>(clocks[i] - clocks[i - 1]) / CLOCKS_PER_SEC);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < fit.history.size(); ++i)
    least = std::min(least, fit.history[i].seconds - fit.history[i - 1].seconds);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const nlohmann::json line = {{"bench", name},
                               {"who", "tulle"},
                               {"seconds", least},
                               {"unit", "sweep"},
                               {"processor_seconds", processor},
                               {"threads", threads()},
                               {"peak_mib", usage.ru_maxrss / 1024}};
  std::puts(line.dump().c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  bench_sweeps("coupled-links", digg_sized(quick ? 20 : 1), quick ? 3 : 12);
  bench_sweeps("coupled-dense", coupled_matrices(quick ? 50 : 500, quick ? 40 : 400, 1), quick ? 3 : 12);
  for (const auto& [name, density] : {std::pair("coupled-1%", 0.01), std::pair("coupled-0.1%", 0.001)})
    bench_sweeps(name, coupled_matrices(quick ? 200 : 2000, quick ? 100 : 1000, density), quick ? 3 : 12);
}
