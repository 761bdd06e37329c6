// Reading text: bytes of the file per second, and the peak of memory against the size of the parsed tensor.
//   bench_read [--megabytes N] [--file PATH]...    the files to measure besides those it makes itself, in a
//   temporary folder
// "bytes" is the size of the file: every byte must be looked at once.
#include <tulle/base/random.hpp>
#include <tulle/base/threads.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>

#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

// Cells that never repeat, in no order: a multiplication by an odd number is a bijection of the 43 bits.
void generate(const fs::path& path, std::size_t bytes, char separator, std::string_view prefix) {
  std::ofstream file(path, std::ios::binary);
  tulle::Random random(1);
  fmt::memory_buffer buffer;
  std::size_t written = 0;
  for (std::uint64_t number = 1; written < bytes; ++number) {
    const std::uint64_t cell = number * 0x9e3779b97f4a7c15 & ((std::uint64_t{1} << 43) - 1);
    fmt::format_to(std::back_inserter(buffer), "{2}{3}{0}{2}{4}{0}{2}{5}{0}{1:.6g}\n", separator,
                   5 * random.normal(), prefix, (cell >> 26) % 131072 + 1, (cell >> 10) % 65536 + 1,
                   cell % 1024 + 1);
    if (buffer.size() < (1 << 20)) continue;
    file.write(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    written += buffer.size();
    buffer.clear();
  }
}

void measure(const fs::path& path, int threads, int repeats) {
  tulle::set_threads(threads);
  double best = 1e300, parsed = 0;
  for (int i = 0; i < repeats; ++i) {
    std::optional<tulle::Dataset> data;
    best = std::min(best, seconds_of([&] { data = tulle::read(path); }));
    parsed = 4.0 * (data->shape().order() + 1) * static_cast<double>(data->listed());
  }
  const auto bytes = static_cast<double>(fs::file_size(path));
  std::cout << json{{"bench", "read-" + path.filename().string() + (threads == 1 ? "-1-thread" : "")},
                    {"who", "tulle"},
                    {"seconds", best},
                    {"bytes", bytes},
                    {"megabytes_per_second", bytes / best / 1e6},
                    {"threads", threads},
                    {"peak_to_parsed", peak_bytes() / parsed}}
            << std::endl;
}

void measure_writing(const fs::path& from, const fs::path& to) {
  const auto data = tulle::read(from);
  const double seconds = seconds_of([&] { tulle::write(to, data); });
  const auto bytes = static_cast<double>(fs::file_size(to));
  std::cout << json{{"bench", "write-" + to.filename().string()},
                    {"who", "tulle"},
                    {"seconds", seconds},
                    {"bytes", bytes},
                    {"megabytes_per_second", bytes / seconds / 1e6}}
            << std::endl;
}

// In a process of its own, so that its peak of memory is its own.
void alone(const std::function<void()>& work) {
  std::cout.flush();
  const pid_t child = fork();
  if (child == 0) {
    work();
    std::cout.flush();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) std::exit(1);
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t megabytes = 1000;
  std::vector<fs::path> files;
  if (count > 1 && arguments[1] == std::string_view("--quick")) megabytes = 20;
  for (int i = 1; i + 1 < count; i += 2) {
    if (arguments[i] == std::string_view("--megabytes")) megabytes = std::stoul(arguments[i + 1]);
    if (arguments[i] == std::string_view("--file")) files.emplace_back(arguments[i + 1]);
  }
  const int most = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  for (const auto& file : files) alone([&] { measure(file, most, 3); });
  if (megabytes == 0) return 0;

  const fs::path folder = fs::temp_directory_path() / fmt::format("tulle-bench-read-{}", getpid());
  fs::create_directories(folder);
  const std::size_t bytes = megabytes * 1'000'000;
  alone([&] { generate(folder / "cells.tns", bytes, ' ', ""); });
  alone([&] { generate(folder / "cells.csv", bytes / 4, ',', "id"); });
  for (int threads = 1; threads <= most; threads *= 2)
    alone([&] { measure(folder / "cells.tns", threads, 3); });
  alone([&] { measure(folder / "cells.csv", most, 3); });
  alone([&] { measure_writing(folder / "cells.csv", folder / "written.csv"); });
  alone([&] { measure_writing(folder / "cells.csv", folder / "written.tns.gz"); });
  alone([&] { measure(folder / "written.tns.gz", most, 2); });
  fs::remove_all(folder);
}
