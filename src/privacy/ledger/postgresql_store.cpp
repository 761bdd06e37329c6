#include "store.hpp"

#include <tulle/base/error.hpp>

#ifdef TULLE_HAVE_POSTGRESQL
#include <tulle/base/loaded_library.hpp>

#include <libpq-fe.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace tulle {
namespace {

constinit const LoadedLibrary kPostgresql("libpq.so.5 libpq.5.dylib");
#define TULLE_LOADED(name) constinit const LoadedFunction<decltype(::name)> name(kPostgresql, #name)
TULLE_LOADED(PQclear);
TULLE_LOADED(PQconnectdb);
TULLE_LOADED(PQconninfoFree);
TULLE_LOADED(PQconninfoParse);
TULLE_LOADED(PQerrorMessage);
TULLE_LOADED(PQexec);
TULLE_LOADED(PQexecParams);
TULLE_LOADED(PQfinish);
TULLE_LOADED(PQgetisnull);
TULLE_LOADED(PQgetlength);
TULLE_LOADED(PQgetvalue);
TULLE_LOADED(PQntuples);
TULLE_LOADED(PQresultStatus);
TULLE_LOADED(PQstatus);
#undef TULLE_LOADED

struct CloseConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using Result = std::unique_ptr<PGresult, ClearResult>;

class PostgresqlStore final : public LedgerStore {
 public:
  PostgresqlStore(const std::string& address, bool make) : password_(password_in(address)) {
    connection_.reset(PQconnectdb(address.c_str()));
    if (PQstatus(connection_.get()) != CONNECTION_OK) complain();
    execute("SET client_min_messages = warning");
    if (make) make_table();
    const Result table = execute("SELECT to_regclass('tulle_ledger')");
    if (PQgetisnull(table.get(), 0, 0)) fail_no_ledger(address);
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
  // Checks the address before libpq does, whose error messages quote it. An unescaped @ or / in a password
  // moves the rest of it into the host, the port or the database, which libpq quotes as well.
  static std::string password_in(const std::string& address) {
    const std::unique_ptr<PQconninfoOption, FreeOptions> options(PQconninfoParse(address.c_str(), nullptr));
    std::string password;
    bool valid = options != nullptr;
    for (const PQconninfoOption* option = options.get(); option && option->keyword; ++option) {
      if (!option->val) continue;
      const std::string_view keyword = option->keyword, value = option->val;
      if (keyword == "password") password = value;
      if (keyword != "password" && keyword != "user" && value.find('@') != value.npos) valid = false;
    }
    if (!valid)
      fail_usage(
          "ledger: the address is not of the form postgresql://USER:PASSWORD@HOST:PORT/DATABASE (it is not "
          "shown, since it may hold a password; write @ : / in one as %40 %3A %2F)");
    return password;
  }

  // Two first users may both find no table; the one that loses the race finds it made.
  void make_table() {
    execute("SELECT pg_advisory_lock(hashtext('tulle_ledger'))");
    execute(
        "CREATE TABLE IF NOT EXISTS tulle_ledger (number BIGINT PRIMARY KEY, time TEXT NOT NULL, account "
        "TEXT NOT NULL, "
        "kind TEXT NOT NULL, content TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL)");
    execute("CREATE INDEX IF NOT EXISTS tulle_ledger_by_kind ON tulle_ledger (account, kind, number)");
    execute("CREATE INDEX IF NOT EXISTS tulle_ledger_by_account ON tulle_ledger (account, number)");
    execute("SELECT pg_advisory_unlock(hashtext('tulle_ledger'))");
  }

  [[noreturn]] void complain() const {
    std::string message = PQerrorMessage(connection_.get());
    message.resize(std::min(message.find('\n'), message.size()));
    for (std::size_t at; !password_.empty() && (at = message.find(password_)) != std::string::npos;)
      message.replace(at, password_.size(), "");
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

  std::string password_;
  std::unique_ptr<PGconn, CloseConnection> connection_;
};

}  // namespace

std::unique_ptr<LedgerStore> open_postgresql_store(const std::string& address, bool make) {
  if (!kPostgresql.is_installed())
    fail("{}: this needs the client library of PostgreSQL, libpq.so.5; install it (Debian: libpq5)",
         without_password(address));
  return std::make_unique<PostgresqlStore>(address, make);
}

}  // namespace tulle
#else
namespace tulle {

std::unique_ptr<LedgerStore> open_postgresql_store(const std::string& address, bool) {
  fail("{}: this tulle was built without PostgreSQL; install libpq-dev and build it again",
       without_password(address));
}

}  // namespace tulle
#endif
