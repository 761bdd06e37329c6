// Memory of the GPU, and errors of CUDA as exceptions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace tulle::gpu {

inline void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // or the next call would fail with it too
  throw std::runtime_error(std::string("the GPU: ") + cudaGetErrorString(status));
}

// Plain allocations, freed when it goes out of scope.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    const cudaError_t status = cudaMalloc(&data_, size * sizeof(T));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      throw std::runtime_error("the GPU has not enough memory: " + std::to_string((size * sizeof(T)) >> 20) +
                               " MiB more are needed; let the CPU compute, or take a lower rank");
    }
    check(status);
  }
  explicit Buffer(std::span<const T> values) : Buffer(values.size()) { set(values.data()); }
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { cudaFree(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void set(const T* values) {
    if (size_ > 0) check(cudaMemcpy(data_, values, size_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  void get(T* values) const {
    if (size_ > 0) check(cudaMemcpy(values, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
  }
  void clear() {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0, size_ * sizeof(T)));
  }
  // The contents are lost where it grows. Allocations wait for the GPU, so buffers of loops are kept.
  void grow(std::size_t size) {
    if (size > size_) *this = Buffer(size);
  }
  // Sets the first values.
  void assign(std::span<const T> values) {
    grow(values.size());
    check(cudaMemcpy(data_, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
  }
  std::vector<T> first(std::size_t count) const {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

inline unsigned blocks_for(std::size_t threads, unsigned of) {
  return static_cast<unsigned>((threads + of - 1) / of);
}

}  // namespace tulle::gpu
