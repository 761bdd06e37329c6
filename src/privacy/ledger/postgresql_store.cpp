#include "store.hpp"

#include <tulle/base/error.hpp>

#include <libpq-fe.h>

#include <charconv>

namespace tulle {
namespace {

struct CloseConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

class PostgresqlStore final : public LedgerStore {
 public:
  explicit PostgresqlStore(const std::string& address) : connection_(PQconnectdb(address.c_str())) {
    if (PQstatus(connection_.get()) != CONNECTION_OK) complain();
    execute("SET client_min_messages = warning");
    // Two first users may both find no table; the one that loses the race finds it made.
    execute("SELECT pg_advisory_lock(hashtext('tulle_ledger'))");
    execute(
        "CREATE TABLE IF NOT EXISTS tulle_ledger (number BIGINT PRIMARY KEY, time TEXT NOT NULL, account "
        "TEXT NOT NULL, "
        "kind TEXT NOT NULL, content TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL)");
    execute("CREATE INDEX IF NOT EXISTS tulle_ledger_by_kind ON tulle_ledger (account, kind, number)");
    execute("CREATE INDEX IF NOT EXISTS tulle_ledger_by_account ON tulle_ledger (account, number)");
    execute("SELECT pg_advisory_unlock(hashtext('tulle_ledger'))");
  }

  std::vector<LedgerRow> rows(const LedgerQuery& query) override {
    const std::string from = std::to_string(query.from), to = std::to_string(query.to);
    std::vector<const char*> values = {from.c_str(), to.c_str()};
    for (const std::string* text : {&query.account, &query.kind})
      if (!text->empty()) values.push_back(text->c_str());
    const Result result = execute(select_rows("tulle_ledger", query), values);
    std::vector<LedgerRow> rows(static_cast<std::size_t>(PQntuples(result.get())));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      LedgerRow& row = rows[i];
      const std::string number = text_in(*result, i, 0);
      std::from_chars(number.data(), number.data() + number.size(), row.number);
      int column = 1;
      for (std::string* text : {&row.time, &row.account, &row.kind, &row.content, &row.previous, &row.hash})
        *text = text_in(*result, i, column++);
    }
    return rows;
  }

  void append(const std::function<std::vector<LedgerRow>()>& decide) override {
    execute("BEGIN");
    try {
      execute("LOCK TABLE tulle_ledger IN EXCLUSIVE MODE");  // one writer at a time, from before the rows are
                                                             // read
      for (const LedgerRow& row : decide()) insert(row);
      execute("SET LOCAL synchronous_commit = on");
      execute("COMMIT");
    } catch (...) {
      const Result undone(PQexec(connection_.get(), "ROLLBACK"));
      throw;
    }
  }

 private:
  [[noreturn]] void complain() const {
    std::string message = PQerrorMessage(connection_.get());
    message.resize(std::min(message.find('\n'), message.size()));
    fail("ledger: {}", message);
  }

  Result check(PGresult* raw) {
    Result result(raw);
    const auto status = PQresultStatus(raw);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) complain();
    return result;
  }

  Result execute(const char* command) { return check(PQexec(connection_.get(), command)); }
  Result execute(const std::string& command, const std::vector<const char*>& values) {
    return check(PQexecParams(connection_.get(), command.c_str(), static_cast<int>(values.size()), nullptr,
                              values.data(), nullptr, nullptr, 0));
  }

  static std::string text_in(PGresult& result, std::size_t row, int column) {
    return {PQgetvalue(&result, static_cast<int>(row), column),
            static_cast<std::size_t>(PQgetlength(&result, static_cast<int>(row), column))};
  }

  void insert(const LedgerRow& row) {
    const std::string number = std::to_string(row.number);
    execute("INSERT INTO tulle_ledger VALUES ($1, $2, $3, $4, $5, $6, $7)",
            {number.c_str(), row.time.c_str(), row.account.c_str(), row.kind.c_str(), row.content.c_str(),
             row.previous.c_str(), row.hash.c_str()});
  }

  std::unique_ptr<PGconn, CloseConnection> connection_;
};

}  // namespace

std::unique_ptr<LedgerStore> open_postgresql_store(const std::string& address) {
  return std::make_unique<PostgresqlStore>(address);
}

}  // namespace tulle
