#include <tulle/base/chunks.hpp>
#include <tulle/base/multiarch.hpp>
#include <tulle/tensor/kernels/sweep.hpp>

namespace tulle {
namespace {

// Two rows at a time: half the traffic on out, which is what such short loops wait for.
TULLE_MULTIARCH void contract_many(const double* row, std::size_t size, const double* in, std::size_t rest,
                                   double* out) {
  std::fill_n(out, rest, 0.0);
  std::size_t p = 0;
  for (; p + 2 <= size; p += 2) {
    const double first = row[p], second = row[p + 1];
    const double* const from = in + p * rest;
    for (std::size_t i = 0; i < rest; ++i) out[i] += first * from[i] + second * from[i + rest];
  }
  if (p < size)
    for (std::size_t i = 0; i < rest; ++i) out[i] += row[p] * in[p * rest + i];
}

}  // namespace

void contract_leading(const double* row, std::size_t size, const double* in, std::size_t rest, double* out) {
  if (rest > 1) return contract_many(row, size, in, rest, out);
  double sum = 0;
  for (std::size_t p = 0; p < size; ++p) sum += row[p] * in[p];
  *out = sum;
}

TULLE_MULTIARCH void add_outer(const double* row, std::size_t size, const double* in, std::size_t rest,
                               double* out) {
  for (std::size_t p = 0; p < size; ++p)
    for (std::size_t i = 0; i < rest; ++i) out[p * rest + i] += row[p] * in[i];
}

Contraction::Shared::Shared(const SortedEntries& entries, std::span<const Matrix> matrices, int first,
                            std::span<const double> core)
    : entries_(entries), rows_(entries, matrices), first_(first), core_(core) {
  const Matrix& factor = matrices[entries.modes[first]];
  const auto rest = static_cast<Eigen::Index>(core.size() / rows_.size(first));
  const auto positions = static_cast<std::size_t>(factor.rows());
  // Twice as many entries as products, and no more room than a few words an entry.
  if (2 * positions > entries.size() || positions * static_cast<std::size_t>(rest) > 8 * entries.size())
    return;
  products_.resize(factor.rows(), rest);
#pragma omp parallel for schedule(static) if (positions * core.size() > kWorthThreads)
  for (std::size_t row = 0; row < positions; ++row)
    contract_leading(&factor(row, 0), rows_.size(first), core.data(), static_cast<std::size_t>(rest),
                     &products_(row, 0));
}

Contraction::Contraction(const Shared& shared)
    : shared_(shared), partial_(shared.entries_.levels()), result_(shared.entries_.levels()) {
  std::size_t size = shared.core_.size();
  for (int level = shared.first_; level < shared.entries_.levels(); ++level) {
    partial_[level].resize(size /= shared.rows_.size(level));
    result_[level] = partial_[level].data();
  }
}

const double* Contraction::at(std::size_t entry) {
  const auto& [entries, rows, first, core, products] = shared_;
  for (int level = started_ ? std::max<int>(entries.fresh[entry], first) : first; level < entries.levels();
       ++level) {
    if (level == first && products.size() > 0) {
      result_[level] = &products(entries.position(level, entry), 0);
      continue;
    }
    const double* const above = level == first ? core.data() : result_[level - 1];
    contract_leading(rows(level, entry), rows.size(level), above, partial_[level].size(),
                     partial_[level].data());
  }
  started_ = true;
  return result_.back();
}

}  // namespace tulle
