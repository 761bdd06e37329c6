#include <tulle/base/chunks.hpp>
#include <tulle/base/error.hpp>
#include <tulle/tensor/kernels/norms.hpp>

namespace tulle {
namespace {

// Eight running sums, so that the additions do not wait for each other and fill a vector register.
template <class T>
double dot(const T* a, const T* b, std::size_t count) {
  constexpr std::size_t kLanes = 8;
  double sums[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      sums[lane] += static_cast<double>(a[i + lane]) * static_cast<double>(b[i + lane]);
  double total = 0;
  for (; i < count; ++i) total += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  for (double sum : sums) total += sum;
  return total;
}

template <class T>
double chunked_dot(std::span<const T> a, std::span<const T> b) {
  return chunked_sum(
      a.size(), [&](std::size_t begin, std::size_t end) { return dot(&a[begin], &b[begin], end - begin); });
}

void check_same_shape(const Shape& a, const Shape& b) {
  if (a != b) fail("inner product of a {} and a {} tensor; the shapes must agree", a.text(), b.text());
}

}  // namespace

double inner(const DenseTensor& a, const DenseTensor& b) {
  check_same_shape(a.shape(), b.shape());
  return chunked_dot(a.values(), b.values());
}

double inner(const SparseTensor& a, const DenseTensor& b) {
  check_same_shape(a.shape(), b.shape());
  return chunked_sum(a.size(), [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t entry = begin; entry < end; ++entry) sum += a.values()[entry] * b[a.cells().cell(entry)];
    return sum;
  });
}

double squared_norm(const DenseTensor& tensor) {
  return chunked_dot(tensor.values(), tensor.values());
}

double squared_norm(const SparseTensor& tensor) {
  return chunked_dot(tensor.values(), tensor.values());
}

double norm(const DenseTensor& tensor) {
  return std::sqrt(squared_norm(tensor));
}

double norm(const SparseTensor& tensor) {
  return std::sqrt(squared_norm(tensor));
}

}  // namespace tulle
