#include "store.hpp"

#include <tulle/base/error.hpp>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tulle {
namespace {

constexpr int kWaitForOthersMs = 60'000;

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, FinishStatement>;

class SqliteStore final : public LedgerStore {
 public:
  SqliteStore(const std::string& path, bool make) : path_(path) {
    if (make) make_file(path);
    sqlite3* opened = nullptr;
    const int status = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READWRITE, nullptr);
    database_.reset(opened);
    if (status == SQLITE_CANTOPEN && !make) fail_no_ledger(path);
    if (status != SQLITE_OK) complain();
    sqlite3_busy_timeout(opened, kWaitForOthersMs);
    // A charge that was acknowledged must survive a power cut. In SQLite's rollback journal mode a
    // transaction is committed when the journal is deleted. FULL syncs the journal and the database before
    // that, but not the folder after it: a power cut can bring the journal back, and the next opening then
    // rolls the commit back. EXTRA syncs the folder as well, so a commit returns when nothing can undo it any
    // more.
    execute("PRAGMA synchronous = EXTRA");
    if (make) make_table();
    if (!has_table()) fail_no_ledger(path);
  }

  std::vector<LedgerRow> rows(const LedgerQuery& query) override {
    const Statement statement = prepare(select_rows("ledger", query));
    sqlite3_bind_int64(statement.get(), 1, query.from);
    sqlite3_bind_int64(statement.get(), 2, query.to);
    int parameter = 2;
    for (const std::string* text : {&query.account, &query.kind})
      if (!text->empty()) bind(*statement, ++parameter, *text);
    std::vector<LedgerRow> rows;
    int status;
    while ((status = sqlite3_step(statement.get())) == SQLITE_ROW) {
      LedgerRow row;
      row.number = static_cast<std::uint64_t>(sqlite3_column_int64(statement.get(), 0));
      int column = 1;
      for (std::string* text : {&row.time, &row.account, &row.kind, &row.content, &row.previous, &row.hash})
        *text = text_in(statement.get(), column++);
      rows.push_back(std::move(row));
    }
    if (status != SQLITE_DONE) complain();
    return rows;
  }

  void append(const std::function<std::vector<LedgerRow>()>& decide) override {
    execute("BEGIN IMMEDIATE");  // one writer at a time, from before the rows are read
    try {
      for (const LedgerRow& row : decide()) insert(row);
      execute("COMMIT");
    } catch (...) {
      sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
  }

 private:
  // Only its owner may read the file: rows name data sets and runs, and a fingerprint confirms a guess of
  // small data. SQLite gives its journal the rights of the database. An existing file keeps its rights, which
  // may have been set for a group that shares it.
  static void make_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) fail("ledger {}: {}", without_password(path), std::strerror(errno));
    ::close(file);
  }

  void make_table() {
    execute(
        "CREATE TABLE IF NOT EXISTS ledger (number INTEGER PRIMARY KEY, time TEXT NOT NULL, account TEXT NOT "
        "NULL, kind TEXT NOT NULL, content TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL)");
    execute("CREATE INDEX IF NOT EXISTS ledger_by_kind ON ledger (account, kind, number)");
    execute("CREATE INDEX IF NOT EXISTS ledger_by_account ON ledger (account, number)");
  }

  bool has_table() {
    const Statement statement =
        prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ledger'");
    const int status = sqlite3_step(statement.get());
    if (status != SQLITE_ROW && status != SQLITE_DONE) complain();
    return status == SQLITE_ROW;
  }

  [[noreturn]] void complain() const {
    fail("ledger {}: {}", without_password(path_), sqlite3_errmsg(database_.get()));
  }

  void execute(const char* command) {
    if (sqlite3_exec(database_.get(), command, nullptr, nullptr, nullptr) != SQLITE_OK) complain();
  }

  Statement prepare(const std::string& command) {
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(database_.get(), command.c_str(), -1, &prepared, nullptr) != SQLITE_OK) complain();
    return Statement(prepared);
  }

  static std::string text_in(sqlite3_stmt* statement, int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement, column)))
                : std::string();
  }

  static void bind(sqlite3_stmt& statement, int parameter, const std::string& text) {
    sqlite3_bind_text(&statement, parameter, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }

  void insert(const LedgerRow& row) {
    const Statement insertion = prepare("INSERT INTO ledger VALUES (?, ?, ?, ?, ?, ?, ?)");
    sqlite3_bind_int64(insertion.get(), 1, static_cast<sqlite3_int64>(row.number));
    int column = 2;
    for (const std::string* text :
         {&row.time, &row.account, &row.kind, &row.content, &row.previous, &row.hash})
      bind(*insertion, column++, *text);
    if (sqlite3_step(insertion.get()) != SQLITE_DONE) complain();
  }

  std::string path_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
};

}  // namespace

std::unique_ptr<LedgerStore> open_sqlite_store(const std::string& path, bool make) {
  if (path.empty() || path == ":memory:") fail_usage("a ledger needs a file of its own, to outlive the run");
  return std::make_unique<SqliteStore>(path, make);
}

}  // namespace tulle
