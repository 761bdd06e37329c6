#include "buffer.cuh"
#include "fits.cuh"

namespace tulle::gpu {
namespace {

class Card final : public Gpu {
 public:
  explicit Card(int number) : number_(number) {}

  std::string name() const override {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, number_));
    return properties.name;
  }
  std::unique_ptr<Sweeps> sweeps(std::span<const SortedList> lists,
                                 std::vector<std::size_t> rows) const override {
    check(cudaSetDevice(number_));
    return sparse_sweeps(lists, std::move(rows));
  }
  std::unique_ptr<Completion> completion(std::span<const SortedList> lists, const FactorSizes& sizes,
                                         bool offsets) const override {
    check(cudaSetDevice(number_));
    return row_completion(lists, sizes, offsets);
  }

 private:
  int number_;
};

std::string said(int number) {
  return "GPU " + std::to_string(number);
}

}  // namespace

// The tensor unit multiplies doubles from compute capability 8.0 on.
extern "C" __attribute__((visibility("default"))) std::unique_ptr<Gpu> tulle_open_gpu(int border,
                                                                                      int number) {
  if (border != kBorder)
    throw std::runtime_error("libtulle_cuda is of another version of Tulle; install both again");
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaErrorInsufficientDriver)
    throw std::runtime_error("no GPU: NVIDIA's driver is missing, or older than the CUDA of this build");
  if (status != cudaSuccess || count == 0) {
    cudaGetLastError();
    throw std::runtime_error("no GPU: CUDA sees none");
  }
  if (number >= count)
    throw std::runtime_error(said(number) + " is not there: CUDA sees " + std::to_string(count) +
                             ", counted from 0");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, number));
  if (properties.major < 8)
    throw std::runtime_error(said(number) + " (" + properties.name +
                             ") is too old: compute capability 8.0 is needed");
  return std::make_unique<Card>(number);
}

}  // namespace tulle::gpu
