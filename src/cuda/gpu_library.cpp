#include "gpu_library.hpp"

#include <tulle/base/error.hpp>

#include <dlfcn.h>

#include <filesystem>

namespace tulle {
namespace {

constexpr const char* kName = "libtulle_cuda.so";

// The file that this function is in: libtulle, or a program or an extension of Python that was linked with
// it.
std::filesystem::path own_file() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_file), &info) == 0 || info.dli_fname == nullptr) return {};
  std::filesystem::path file = info.dli_fname;
  if (file.is_relative()) file = "/proc/self/exe";
  std::error_code ignored;
  return std::filesystem::canonical(file, ignored);
}

// Beside that file, or where an installation has libraries, else where the loader looks.
void* load() {
  const std::filesystem::path folder = own_file().parent_path();
  for (const char* place : {".", "..", "../lib", "../" TULLE_LIBDIR}) {
    const std::filesystem::path file = folder / place / kName;
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  return dlopen(kName, RTLD_NOW | RTLD_LOCAL);
}

gpu::Open opener() {
  static void* const library = load();
  if (library == nullptr)
    fail("no GPU: {} is not installed, or cannot be loaded; it is built where CUDA's compiler is found",
         kName);
  void* const open = dlsym(library, gpu::kOpen);
  if (open == nullptr) fail("no GPU: {} is of another version of Tulle; install both again", kName);
  return reinterpret_cast<gpu::Open>(open);
}

}  // namespace

std::unique_ptr<gpu::Gpu> open_gpu(int number) {
  const gpu::Open open = opener();
  try {
    return open(gpu::kBorder, number);
  } catch (const std::runtime_error& error) {
    fail("{}", error.what());
  }
}

}  // namespace tulle
