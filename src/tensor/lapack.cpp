#include "lapack.hpp"

#include <tulle/base/error.hpp>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <lapack.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tulle::lapack {
namespace {

void need(lapack_int info, const char* routine) {
  if (info != 0)
    fail("LAPACK's {} gave up with code {}; are there values that are not finite?", routine, info);
}

bool is_nan(double number) {
  return std::isnan(number);
}
bool is_nan(Complex number) {
  return std::isnan(number.real()) || std::isnan(number.imag());
}

template <class T>
bool has_nan(const T* numbers, std::size_t count) {
  return std::any_of(numbers, numbers + count, [](T number) { return is_nan(number); });
}

template <class T>
bool has_nan_in_lower(int n, const T* a) {
  for (std::size_t j = 0, size = n; j < size; ++j)
    if (has_nan(a + j * size + j, size - j)) return true;
  return false;
}

void need_numbers(bool has_nan, const char* routine) {
  if (has_nan) fail("LAPACK's {} was given values that are not finite", routine);
}

std::size_t cells(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// Calls a routine twice: the first call returns the size of the workspace that it wants.
template <class T, class Call>
void with_workspace(const char* routine, Call&& call) {
  T wanted{};
  need(call(&wanted, -1), routine);
  std::vector<T> work(std::max<std::size_t>(1, static_cast<std::size_t>(std::real(wanted))));
  need(call(work.data(), static_cast<lapack_int>(work.size())), routine);
}

}  // namespace

bool is_positive_definite(int n, double* a) {
  if (has_nan_in_lower(n, a)) return false;
  lapack_int info = 0;
  LAPACK_dpotrf("L", &n, a, &n, &info);
  return info == 0;
}

bool is_positive_definite(int n, Complex* a) {
  if (has_nan_in_lower(n, a)) return false;
  lapack_int info = 0;
  LAPACK_zpotrf("L", &n, a, &n, &info);
  return info == 0;
}

void tridiagonalise(int n, double* a, double* diagonal, double* below, double* tau) {
  need_numbers(has_nan_in_lower(n, a), "dsytrd");
  with_workspace<double>("dsytrd", [&](double* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_dsytrd("L", &n, a, &n, diagonal, below, tau, work, &size, &info);
    return info;
  });
}

void tridiagonalise(int n, Complex* a, double* diagonal, double* below, Complex* tau) {
  need_numbers(has_nan_in_lower(n, a), "zhetrd");
  with_workspace<Complex>("zhetrd", [&](Complex* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_zhetrd("L", &n, a, &n, diagonal, below, tau, work, &size, &info);
    return info;
  });
}

void tridiagonal_eigenvalues(int n, double* diagonal, double* below) {
  need_numbers(has_nan(diagonal, n) || has_nan(below, n - 1), "dsterf");
  lapack_int info = 0;
  LAPACK_dsterf(&n, diagonal, below, &info);
  need(info, "dsterf");
}

bool largest_eigenpairs(int n, int count, double* diagonal, double* below, double* values, double* vectors) {
  if (has_nan(diagonal, n) || has_nan(below, n - 1)) return false;
  const double unused = 0;
  const lapack_int first = n - count + 1, size = 18 * n, integer_size = 10 * n;
  std::vector<double> all(n), work(size);
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(count)), integers(integer_size);
  lapack_int found = 0, info = 0;
  lapack_logical robust = 1;
  LAPACK_dstemr("V", "I", &n, diagonal, below, &unused, &unused, &first, &n, &found, all.data(), vectors, &n,
                &count, support.data(), &robust, work.data(), &size, integers.data(), &integer_size, &info);
  std::copy_n(all.begin(), count, values);
  return info == 0 && found == count;
}

bool largest_eigenpairs(int n, int count, double* a, double* values, double* vectors) {
  if (has_nan_in_lower(n, a)) return false;
  const double unused = 0;
  const lapack_int first = n - count + 1, integer_size = 10 * n;
  std::vector<double> all(n);
  std::vector<lapack_int> support(2 * static_cast<std::size_t>(count)), integers(integer_size);
  lapack_int found = 0, failed = 0;
  with_workspace<double>("dsyevr", [&](double* work, lapack_int size) {
    LAPACK_dsyevr("V", "I", "L", &n, a, &n, &unused, &unused, &first, &n, &unused, &found, all.data(),
                  vectors, &n, support.data(), work, &size, integers.data(), &integer_size, &failed);
    return 0;
  });
  std::copy_n(all.begin(), count, values);
  return failed == 0 && found == count;
}

void apply_reflectors(int n, int columns, const double* a, const double* tau, double* c) {
  with_workspace<double>("dormtr", [&](double* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_dormtr("L", "L", "N", &n, &columns, a, &n, tau, c, &n, work, &size, &info);
    return info;
  });
}

void apply_reflectors(int n, int columns, const Complex* a, const Complex* tau, Complex* c) {
  with_workspace<Complex>("zunmtr", [&](Complex* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_zunmtr("L", "L", "N", &n, &columns, a, &n, tau, c, &n, work, &size, &info);
    return info;
  });
}

void orthonormalise(int m, int n, double* a) {
  need_numbers(has_nan(a, cells(m, n)), "dgeqrf");
  std::vector<double> tau(n);
  with_workspace<double>("dgeqrf", [&](double* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_dgeqrf(&m, &n, a, &m, tau.data(), work, &size, &info);
    return info;
  });
  need_numbers(has_nan(a, cells(m, n)), "dorgqr");  // dgeqrf turns infinities into NaN
  with_workspace<double>("dorgqr", [&](double* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_dorgqr(&m, &n, &n, a, &m, tau.data(), work, &size, &info);
    return info;
  });
}

void orthonormalise(int m, int n, Complex* a) {
  need_numbers(has_nan(a, cells(m, n)), "zgeqrf");
  std::vector<Complex> tau(n);
  with_workspace<Complex>("zgeqrf", [&](Complex* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_zgeqrf(&m, &n, a, &m, tau.data(), work, &size, &info);
    return info;
  });
  need_numbers(has_nan(a, cells(m, n)), "zungqr");
  with_workspace<Complex>("zungqr", [&](Complex* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_zungqr(&m, &n, &n, a, &m, tau.data(), work, &size, &info);
    return info;
  });
}

// LAPACK's manual gives these sizes of the workspaces.
void eigen(int n, double* a, double* values) {
  need_numbers(has_nan_in_lower(n, a), "dsyevd");
  const lapack_int integer_size = 3 + 5 * n;
  std::vector<lapack_int> integers(integer_size);
  with_workspace<double>("dsyevd", [&](double* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_dsyevd("V", "L", &n, a, &n, values, work, &size, integers.data(), &integer_size, &info);
    return info;
  });
}

void eigen(int n, Complex* a, double* values) {
  need_numbers(has_nan_in_lower(n, a), "zheevd");
  const lapack_int real_size = 1 + 5 * n + 2 * n * n, integer_size = 3 + 5 * n;
  std::vector<double> reals(real_size);
  std::vector<lapack_int> integers(integer_size);
  with_workspace<Complex>("zheevd", [&](Complex* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_zheevd("V", "L", &n, a, &n, values, work, &size, reals.data(), &real_size, integers.data(),
                  &integer_size, &info);
    return info;
  });
}

void svd(char job, int m, int n, double* a, double* s, double* u, double* vh) {
  need_numbers(has_nan(a, cells(m, n)), "dgesdd");
  const lapack_int k = std::min(m, n);
  std::vector<lapack_int> integers(8 * static_cast<std::size_t>(k));
  with_workspace<double>("dgesdd", [&](double* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_dgesdd(&job, &m, &n, a, &m, s, u, &m, vh, &k, work, &size, integers.data(), &info);
    return info;
  });
}

void svd(char job, int m, int n, Complex* a, double* s, Complex* u, Complex* vh) {
  need_numbers(has_nan(a, cells(m, n)), "zgesdd");
  const lapack_int k = std::min(m, n);
  const auto less = static_cast<std::size_t>(k), more = static_cast<std::size_t>(std::max(m, n));
  std::vector<double> reals(job == 'N' ? 7 * less : less * std::max(5 * less + 7, 2 * more + 2 * less + 1));
  std::vector<lapack_int> integers(8 * less);
  with_workspace<Complex>("zgesdd", [&](Complex* work, lapack_int size) {
    lapack_int info = 0;
    LAPACK_zgesdd(&job, &m, &n, a, &m, s, u, &m, vh, &k, work, &size, reals.data(), integers.data(), &info);
    return info;
  });
}

}  // namespace tulle::lapack
