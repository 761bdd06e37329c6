// A request for counts of events, from the command, Python or C++: the data, the terms of their privacy, the
// method, the outputs. It is checked as a whole, reads its data, and then runs.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/job/charging.hpp>
#include <tulle/job/completion_data.hpp>
#include <tulle/job/options/option_table.hpp>
#include <tulle/job/options/page.hpp>
#include <tulle/job/options/privacy.hpp>
#include <tulle/job/payment.hpp>
#include <tulle/job/report.hpp>
#include <tulle/job/run_plan.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct CountOptions {
  // Events: a log, or a tensor whose values are numbers of events. `data.reading.columns` are those of the
  // modes.
  DataOptions data;
  std::string events;  // the column with the number of events of a row; "": every row is one event

  BudgetOptions privacy;
  Unit unit = Unit::event;
  std::string user_mode;                  // unit user: one of the columns or modes, a name or a number from 1
  std::vector<std::string> private_keys;  // modes whose positions are chosen, names or numbers from 1
  std::optional<Relation> relation;
  LedgerOptions ledger;

  std::string method = methods(Job::counts).front().name;
  Settings settings;
  std::optional<std::uint64_t> seed;

  std::string output;
  bool keep_releases = true;  // in the model file, for a refit
  PageOptions page;

  void declare(OptionTable& table);
};

// Unit user: which mode of the events is the users, and the names by which their rows are drawn. Private.
struct EventUsers {
  int mode;
  std::string name;  // of the mode
  std::shared_ptr<const NameHashes> names;
};

// Events at public positions.
struct EventData {
  std::vector<Mode> modes;  // that events are counted by
  SparseTensor events;      // with a mode of the users, if there is one
  std::optional<EventUsers> users;
  std::vector<int> private_keys;  // modes of the events of which the labels are private
  std::vector<std::string> public_facts;
  std::size_t dropped = 0;                         // rows at positions that are not public; private
  std::vector<std::string> dropped_examples = {};  // two such positions, with where they are; private
};

// A request that was checked and has read its data; nothing is charged yet.
class CountsRequest {
 public:
  // A UsageError or an Error if it cannot be met, before anything is charged or released.
  explicit CountsRequest(const CountOptions& options);

  // Call once. Charges the ledger before the first release. The caller marks the charge as delivered once the
  // outcome is handed over.
  CountsFound run(const Watcher& watcher);
  // Instead of run(): what it would release and cost. A UsageError for a run without privacy.
  RunPlan plan();
  ModelFile model(const CountsFound& found) const;  // in the form that is saved

  const CountJob& job() const { return job_; }
  Payment& payment() { return payment_; }

 private:
  CountOptions options_;
  EventData data_;
  CountJob job_;
  Payment payment_;
  std::vector<LostData> losses_;
  std::vector<std::string> owner_notes_;
};

}  // namespace tulle

#pragma GCC visibility pop
