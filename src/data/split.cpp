#include "draw.hpp"
#include "hash.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/name_hashes.hpp>
#include <tulle/data/split.hpp>

#include <algorithm>
#include <numeric>

namespace tulle {
namespace {

void check_fraction(double test_fraction) {
  if (!(test_fraction > 0 && test_fraction < 1))
    fail_usage("test fraction {}: give a number between 0 and 1, both excluded", test_fraction);
}

std::size_t test_count(double test_fraction, std::size_t entries) {
  check_fraction(test_fraction);
  const std::size_t count = share(test_fraction, entries);
  if (count == 0 || count == entries)
    fail("a test fraction of {} of {} entries leaves none to {}; change the fraction", test_fraction, entries,
         count == 0 ? "test on" : "learn from");
  return count;
}

// Held-out cells are not listed in the training part, where that must not mean that they are zeros.
void check_missing(const SparseTensor& data) {
  if (data.unlisted() == Unlisted::zero)
    fail(
        "unlisted cells of this tensor are zeros, so held-out cells would be learned as zeros; read it with "
        "missing semantics");
}

}  // namespace

Split split_by_position(const Dataset& data, double test_fraction, std::uint64_t seed) {
  check_fraction(test_fraction);
  const SparseTensor listed = observed(data);
  const NameHashes hashes(data.modes, listed.shape(), random_for(Use::split, seed).bits());
  std::vector<std::size_t> train, test;
  for (std::size_t entry = 0; entry < listed.size(); ++entry)
    (place_of(hashes.of(listed.cells(), entry)) < test_fraction ? test : train).push_back(entry);
  return {listed.select(train), listed.select(test)};
}

Split split(const SparseTensor& data, double test_fraction, std::uint64_t seed) {
  check_missing(data);
  const std::size_t held_out = test_count(test_fraction, data.size());
  std::vector<std::size_t> train, test;
  train.reserve(data.size() - held_out);
  test.reserve(held_out);
  select_in_order(data.size(), held_out, random_for(Use::split, seed),
                  [&](std::size_t entry, bool chosen) { (chosen ? test : train).push_back(entry); });
  return {data.select(train), data.select(test)};
}

Split split(const DenseTensor& data, double test_fraction, std::uint64_t seed) {
  const std::size_t held_out = test_count(test_fraction, data.size());
  Lister train(data, data.size() - held_out), test(data, held_out);
  select_in_order(data.size(), held_out, random_for(Use::split, seed),
                  [&](std::size_t cell, bool chosen) { (chosen ? test : train).list(cell); });
  return {train.finish(), test.finish()};
}

Folds k_folds(std::size_t entries, int k, std::uint64_t seed) {
  if (k < 2) fail_usage("{} folds: cross-validation needs 2 at least", k);
  const auto folds_wanted = static_cast<std::size_t>(k);
  if (entries < folds_wanted) fail("{} entries cannot be put into {} folds; ask for fewer", entries, k);
  std::vector<std::size_t> entry_numbers(entries);
  std::iota(entry_numbers.begin(), entry_numbers.end(), std::size_t{0});
  random_for(Use::folds, seed).shuffle(std::span(entry_numbers));

  Folds folds(folds_wanted);
  auto next = entry_numbers.begin();
  for (std::size_t i = 0; i < folds_wanted; ++i) {
    const auto end =
        next + static_cast<std::ptrdiff_t>(entries / folds_wanted + (i < entries % folds_wanted));
    folds[i].assign(next, end);
    std::sort(folds[i].begin(), folds[i].end());
    next = end;
  }
  return folds;
}

Split fold(const SparseTensor& data, const Folds& folds, int held_out) {
  check_missing(data);
  if (held_out < 0 || static_cast<std::size_t>(held_out) >= folds.size())
    fail_usage("fold {} of {}: folds are numbered from 0", held_out, folds.size());
  std::vector<char> is_test(data.size(), 0);
  std::size_t entries = 0;
  for (const auto& group : folds) entries += group.size();
  if (entries != data.size()) fail("the folds are of {} entries, the tensor has {}", entries, data.size());
  for (std::size_t entry : folds[held_out]) is_test.at(entry) = 1;

  std::vector<std::size_t> train;
  train.reserve(data.size() - folds[held_out].size());
  for (std::size_t entry = 0; entry < data.size(); ++entry)
    if (!is_test[entry]) train.push_back(entry);
  return {data.select(train), data.select(folds[held_out])};
}

}  // namespace tulle
