#include "store.hpp"

#include <fmt/format.h>

namespace tulle {

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
