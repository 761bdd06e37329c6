#include "store.hpp"

#include <tulle/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tulle {
namespace {

bool at_server(const std::string& where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

}  // namespace

std::unique_ptr<LedgerStore> open_store(const std::string& where, bool make) {
  if (at_server(where)) return open_postgresql_store(where, make);
  // More likely a mistyped scheme than the path of a file.
  if (where.find("://") != std::string::npos)
    fail_usage("{}: a ledger is a file or at postgresql://USER@HOST/DATABASE", without_password(where));
  return open_sqlite_store(where, make);
}

std::string without_password(const std::string& where) {
  std::string shown = where;
  const std::size_t at = shown.rfind('@'), slashes = shown.find("://");
  const std::size_t colon = shown.find(':', slashes == std::string::npos ? 0 : slashes + 3);
  if (at != std::string::npos && colon < at) shown.replace(colon + 1, at - colon - 1, "***");
  for (std::size_t key = 0; (key = shown.find("password=", key)) != std::string::npos;) {
    key += 9;
    const std::size_t end = std::min(shown.find_first_of("& ", key), shown.size());
    shown.replace(key, end - key, "***");
  }
  return shown;
}

void fail_no_ledger(const std::string& where) {
  fail("{}: there is no ledger; create an account first, which makes it", without_password(where));
}

std::string select_rows(const std::string& table, const LedgerQuery& query) {
  std::string text = fmt::format(
      "SELECT number, time, account, kind, content, previous, hash FROM {} WHERE number BETWEEN $1 AND $2",
      table);
  int parameter = 2;
  if (!query.account.empty()) text += fmt::format(" AND account = ${}", ++parameter);
  if (!query.kind.empty()) text += fmt::format(" AND kind = ${}", ++parameter);
  return text + (query.only_last ? " ORDER BY number DESC LIMIT 1" : " ORDER BY number");
}

}  // namespace tulle
