// Spending from a ledger.
#pragma once

#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tulle::cli {

struct LedgerOptions {
  std::string ledger, account;

  void declare(CLI::App& verb);
  void check(bool is_private) const;
};

// The ledger is charged before the first release and told of the delivery after all is written: a crash in
// between over-counts, never under-counts.
class Payment {
 public:
  // `purpose` is what the ledger's history says; `file` holds the data, "-" for standard input.
  Payment(const LedgerOptions& options, std::string purpose, std::string file);

  std::function<void(const Curator&)> on_first_release();  // empty without a ledger
  void delivered();

 private:
  std::string account_, purpose_, file_;
  std::optional<Ledger> ledger_;
  std::optional<std::uint64_t> charge_;
};

}  // namespace tulle::cli
