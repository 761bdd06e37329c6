// One iteration of t-SVD completion (ADMM): a transform of all tubes, a singular value shrinkage of all
// slices, the way back and the update of the observed cells. Rivals: tubal_peers.py.
//
// The data are smooth in the first two modes, drift along the third and decay in rank like those of a video,
// with a little noise; half of the cells are observed. Both programs make them by the same formula.
//
// The work is bound by arithmetic, so no bytes are given.
#include <tulle/base/threads.hpp>
#include <tulle/solve/tubal/admm.hpp>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace {

using namespace tulle;

constexpr int kWaves = 30;

// One factor of every wave at every place and time: factor(place, time) holds kWaves numbers.
template <class Wave>
std::vector<double> waves(Index places, Index times, Wave&& wave) {
  std::vector<double> table;
  table.reserve(std::size_t{places} * times * kWaves);
  for (Index place = 0; place < places; ++place)
    for (Index time = 0; time < times; ++time)
      for (int w = 1; w <= kWaves; ++w)
        table.push_back(wave(w, double(place) / places, double(time) / times));
  return table;
}

// A hash of the cell's number (Knuth's multiplicative one, then mixed) that needs no library on either side:
// observed when its top bit is 0; the low bits make noise in [-1, 1).
std::uint32_t hash(std::uint32_t cell) {
  std::uint32_t h = cell * 2654435761u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  return h;
}

SparseTensor make(Index n1, Index n2, Index n3) {
  const auto down =
      waves(n1, n3, [](int w, double x, double t) { return std::sin(0.7 * w * x * 6 + w + 0.3 * w * t); });
  const auto across = waves(
      n2, n3, [](int w, double y, double t) { return 60.0 / w * std::cos(0.9 * w * y * 6 - 0.2 * w * t); });
  SparseTensor data(Shape{n1, n2, n3}, Unlisted::missing);
  std::uint32_t cell = 0;
  for (Index i = 0; i < n1; ++i)
    for (Index j = 0; j < n2; ++j)
      for (Index k = 0; k < n3; ++k, ++cell) {
        const std::uint32_t h = hash(cell);
        if (h >> 31) continue;
        double value = 100 + 2.0 * (h & 0xffff) / 65536 - 1;
        const double *a = &down[(std::size_t{i} * n3 + k) * kWaves],
                     *b = &across[(std::size_t{j} * n3 + k) * kWaves];
        for (int w = 0; w < kWaves; ++w) value += a[w] * b[w];
        const Index place[] = {i, j, k};
        data.append(place, static_cast<float>(value));
      }
  return data;
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss * 1024.0;
}

// Of all threads: what is left to compare by when the machine is busy with other things.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void run(Index n1, Index n2, Index n3, int iterations) {
  const SparseTensor data = make(n1, n2, n3);
  TubalAdmmOptions options;
  options.control.max_iterations = iterations;
  options.control.tolerance = 0;
  const double before = peak_bytes(), cpu_before = cpu_seconds();
  const auto fit = complete_tubal(data, options);
  nlohmann::ordered_json line;
  line["bench"] = "tubal-admm-" + data.shape().text();
  line["who"] = "tulle";
  line["seconds"] = fit.history.back().seconds / iterations;
  line["cpu"] = (cpu_seconds() - cpu_before) / iterations;
  line["threads"] = threads();
  line["rank"] = fit.model.rank();
  line["objective"] = fit.history.back().objective;
  line["memory"] = (peak_bytes() - before) / (8.0 * static_cast<double>(data.shape().cells()));
  line["note"] =
      "mean over " + std::to_string(iterations) +
      " iterations; cpu: with the factors of the result; memory: peak beyond the input, in float64 tensors";
  std::printf("%s\n", line.dump().c_str());
}

}  // namespace

int main() {
  if (const char* count = std::getenv("OMP_NUM_THREADS")) set_threads(std::atoi(count));
  run(144, 176, 40, 10);
  run(500, 500, 50, 10);
}
