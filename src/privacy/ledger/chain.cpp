#include "chain.hpp"

#include "sha256.hpp"

#include <tulle/base/error.hpp>

#include <fmt/chrono.h>

#include <chrono>

namespace tulle {
namespace {

const std::string kNoRow(64, '0');

// Hashes each part with its length, so that no two rows hash the same bytes.
std::string hash_of(const LedgerRow& row) {
  Sha256 hash;
  for (const std::string& part :
       {std::to_string(row.number), row.time, row.account, row.kind, row.content, row.previous})
    hash.add(fmt::format("{}:{};", part.size(), part));
  return hash.hex();
}

}  // namespace

std::string head_of(const std::optional<LedgerRow>& last) {
  return last ? last->hash : kNoRow;
}

LedgerRow next_row(const std::optional<LedgerRow>& last, std::string account, std::string kind,
                   std::string content) {
  LedgerRow row;
  row.number = last ? last->number + 1 : 1;
  row.time = fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                         fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  row.account = std::move(account);
  row.kind = std::move(kind);
  row.content = std::move(content);
  row.previous = head_of(last);
  row.hash = hash_of(row);
  return row;
}

void check_row(const LedgerRow& row) {
  if (row.hash != hash_of(row))
    fail("ledger: row {} ({} of {}) was edited", row.number, row.kind, row.account);
}

void check_chain(const std::vector<LedgerRow>& rows) {
  std::string previous = kNoRow;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const LedgerRow& row = rows[i];
    if (row.number != i + 1) fail("ledger: row {} is missing; somebody removed it", i + 1);
    if (row.previous != previous)
      fail("ledger: row {} does not follow the row before it; one of them was edited", row.number);
    check_row(row);
    previous = row.hash;
  }
}

}  // namespace tulle
