#include "../public_modes.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/data/name_hashes.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/memory.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/job/counts/request.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/write_page.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <nlohmann/json.hpp>

#include <chrono>

namespace tulle {
namespace {

// Where events are is private, also under replace: it is another cell in which the count changes.
DataPrivacy privacy_of(const CountOptions& options) {
  return {.values = true, .positions = true, .user_mode = options.user_mode};
}

bool has_columns(const CountOptions& options) {
  return traits(format_of(options.data.train, options.data.reading)).has_columns();
}

void check_columns(const CountOptions& options) {
  const bool chosen = !options.data.reading.columns.empty() || is_in_memory(options.data.train);
  if (has_columns(options) && !chosen)
    fail_usage("give @columns A,B,..: the columns by which events are counted");
  if (!has_columns(options))
    refuse_given({{"columns", !options.data.reading.columns.empty()}, {"events", !options.events.empty()}},
                 "is for a file of named columns; omit it");
}

void check(const CountOptions& options) {
  if (!options.privacy.epsilon) fail_usage("give @epsilon E, the privacy budget of the counts");
  check_user_mode(options.unit, options.user_mode);
  if (!options.private_keys.empty() && !(options.privacy.delta > 0))
    fail_usage(
        "@private-keys needs @delta D above 0: a position that one unit alone brings is shown with a "
        "probability of at most that");
  options.data.check();
  check_columns(options);
  options.ledger.check(true, options.privacy.calibration);
  std::vector<std::string> inputs = {options.data.train, options.ledger.address().ledger};
  for (const PublicMode& mode : options.data.public_modes) inputs.push_back(list_file(mode.file).path);
  check_model_outputs({options.output}, inputs);
  options.page.check(true, "", false, options.data.train);
  check_outputs({options.page.path, options.output}, inputs);
}

CountOptions checked(const CountOptions& options) {
  check(options);
  return options;
}

// The place of a mode of the events among those that they are counted by.
std::size_t place_without_users(int mode, const EventData& data) {
  return static_cast<std::size_t>(data.users && mode > data.users->mode ? mode - 1 : mode);
}

// A size that is stated of a mode of private keys bounds nothing: where its positions end is private.
std::vector<std::string> remarks_on_sizes(const CountOptions& options, const EventData& data) {
  std::vector<std::string> remarks;
  const std::optional<Shape>& shape = options.data.reading.shape;
  if (!shape) return remarks;
  for (const int mode : data.private_keys)
    remarks.push_back(fmt::format("The size {} of mode {} is not used: its positions are chosen privately.",
                                  (*shape)[mode], data.modes[place_without_users(mode, data)].name));
  return remarks;
}

// Rows of a log are added up: each is one event, or as many as it says.
DataOptions reading_of_events(const CountOptions& options) {
  DataOptions data = options.data;
  data.reading.unlisted = Unlisted::missing;  // has no entry; a cell without an entry has no events
  data.reading.of_events = data.reading.one_cell_per_entry = data.reading.clamp_to_float32 = true;
  data.reading.duplicates = Duplicates::sum;
  if (!data.reading.columns.empty())
    data.reading.columns.push_back(options.events.empty() ? "-" : options.events);
  return data;
}

// Of data without rows at positions that are not public, so that these take no place of those that count.
EventUsers take_users(Dataset& data, int mode, std::uint64_t seed) {
  number_by_name(data, mode);
  EventUsers users{mode, data.modes[static_cast<std::size_t>(mode)].name,
                   std::make_shared<const NameHashes>(hashes_for_choice(data.modes, data.shape(), seed))};
  data.modes.erase(data.modes.begin() + mode);
  return users;
}

std::vector<int> modes_of(const std::vector<std::string>& names, const std::vector<Mode>& modes) {
  std::vector<int> numbers;
  for (const std::string& name : names) numbers.push_back(mode_of(name, modes, "@private-keys"));
  std::ranges::sort(numbers);
  return numbers;
}

// Those that are not shown stay private.
std::vector<Mode> shown_modes(const EventData& data, const std::vector<ChosenKeys>& keys) {
  std::vector<Mode> modes = data.modes;
  for (const auto& [mode, positions] : keys) {
    Mode& named = modes[place_without_users(mode, data)];
    std::vector<std::string> shown;
    for (const Index position : positions) shown.push_back(std::move(named.labels[position]));
    if (shown.empty()) {
      shown.emplace_back("none");
      named.numbered = false;
    }
    named.labels = std::move(shown);
  }
  return modes;
}

// The order of two keys depends on these two alone: whole numbers by size, then others by their bytes.
bool precedes(const std::string& one, const std::string& other) {
  const auto a = parse_number<std::int64_t>(one), b = parse_number<std::int64_t>(other);
  if (a && b && *a != *b) return *a < *b;
  if (a.has_value() != b.has_value()) return a.has_value();
  return one < other;
}

// Gives every private key a name, and its place among the others. Whether keys are numbers follows from how
// the data are read, not from whether there are any.
std::optional<PublicPositions> name_keys(const DataOptions& options, Dataset& data, int mode) {
  const bool labelled = has_labels(options, data, mode);
  number_by_name(data, mode);
  Mode& named = data.modes[static_cast<std::size_t>(mode)];
  named.numbered = !labelled;
  if (named.labels.empty()) return std::nullopt;
  std::vector<std::string> labels = named.labels;
  std::ranges::sort(labels, precedes);
  const std::uint64_t size = labels.size();
  return PublicPositions{std::move(labels), size};
}

EventData read_events(const CountOptions& options, std::uint64_t seed) {
  DataOptions wanted = reading_of_events(options);
  Dataset data = read(wanted.train, reading_of_private_lines(wanted, privacy_of(options), wanted.train,
                                                             options.private_keys.size()));
  check_header(data);
  if (data.repeats_entries)
    fail("{}: in a symmetric matrix an entry stands for two cells; list both", wanted.train);
  // An array of all cells has its shape whatever the events are.
  if (std::holds_alternative<DenseTensor>(data.tensor) && !wanted.reading.shape)
    wanted.reading.shape = data.shape();
  std::optional<int> users;
  if (options.unit == Unit::user) users = mode_of(options.user_mode, data.modes, "@user-mode");
  std::vector<std::string> facts;
  std::vector<int> chosen = modes_of(options.private_keys, data.modes);
  Positions positions = public_positions(wanted, data, users, facts, chosen);
  for (const int mode : chosen) positions[static_cast<std::size_t>(mode)] = name_keys(wanted, data, mode);
  PlacedData placed = at_public_positions(data, positions, wanted.outside);
  std::vector<std::string> examples = dropped_examples(wanted.train, placed);
  std::optional<EventUsers> taken;
  if (users) taken = take_users(placed.data, *users, seed);
  std::vector<Mode> modes = std::move(placed.data.modes);
  return {std::move(modes),   observed(std::move(placed.data)),
          std::move(taken),   std::move(chosen),
          std::move(facts),   placed.dropped,
          std::move(examples)};
}

CountJob job_of(const CountOptions& options, const EventData& data) {
  CountJob job{.method = options.method,
               .how = {.settings = options.settings, .private_keys = data.private_keys}};
  job.terms.budget = options.privacy.budget();
  job.terms.calibration = options.privacy.calibration;
  job.terms.unit = options.unit;
  job.terms.relation = options.relation;
  job.terms.seed = options.seed;
  job.terms.scope.public_facts = data.public_facts;
  if (!data.users) return job;
  job.terms.user_mode = data.users->mode;
  job.terms.scope.mode = data.users->name;
  job.how.names = data.users->names;
  return job;
}

}  // namespace

CountsRequest::CountsRequest(const CountOptions& options)
    : options_(checked(options)),
      data_(read_events(options_, seed_or_new(options_.seed))),
      job_(job_of(options_, data_)),
      payment_(options_.ledger.address(), fmt::format("count, method {}", options_.method),
               options_.data.train),
      losses_(losses(data_)),
      owner_notes_(owner_notes(job_, data_)) {
  const auto most_lost = options_.ledger.most_lost_of(options_.privacy.calibration);
  state_losses(most_lost, job_.terms.scope);
  refuse_losses(losses_, most_lost);
}

CountsFound CountsRequest::run(const Watcher& watcher) {
  const auto started = std::chrono::steady_clock::now();
  const BeforeCharge before = before_charge(payment_, options_.ledger, true, {options_.data.train}, losses_);
  std::vector<std::string> notes = owner_notes_;
  notes.insert(notes.end(), before.notes.begin(), before.notes.end());
  std::optional<RowsOfUsers> rows;  // of which a release chooses how many count
  if (data_.users && !job_.how.settings.get(setting::rows_per_user))
    rows = rows_of_users(job_.how.settings, data_);
  CountOutcome outcome = run_paid(options_.ledger.account, payment_, before, watcher,
                                  [&](const Pay& pay) { return job_.run(std::move(data_.events), pay); });
  for (std::string& remark : remarks_on_sizes(options_, data_)) outcome.remarks.push_back(std::move(remark));
  if (rows)
    if (auto note = note_beyond(*rows, static_cast<double>(outcome.rows->per_user)))
      notes.push_back(*std::move(note));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  return {std::move(outcome), took.count(), std::move(notes)};
}

RunPlan CountsRequest::plan() {
  const BeforeCharge before = before_charge(payment_, options_.ledger, true, {options_.data.train}, losses_);
  return rehearse(open_curator(job_.found(), job_.terms, Pay()), payment_, job_.method, before, owner_notes_,
                  [&](Curator& curator) { job_.run(std::move(data_.events), curator); });
}

ModelFile CountsRequest::model(const CountsFound& found) const {
  const CountOutcome& outcome = found.outcome;
  ModelFile file{.model = outcome.model,
                 .modes = shown_modes(data_, outcome.keys),
                 .method = options_.method,
                 .guarantee = to_json(outcome.guarantee)};
  if (options_.keep_releases && outcome.guarantee.covers_releases()) file.measured = outcome.measured;
  return file;
}

void CountOptions::declare(OptionTable& table) {
  table
      .add(
          "input", data.train,
          "Events: a log (.csv, .tsv) with a row per event, or a tensor of numbers of events; - for standard "
          "input")
      .required();
  table
      .add("columns", data.reading.columns, split_at_commas,
           "Columns of a CSV file by which events are counted: from,to,hour or 1,2,3; "
           "time/3600: bins, time/week: hours, days, weeks or months of time stamps")
      .group(kReading);
  table.add("events", events, "Column with the number of events of each row [every row is one event]")
      .group(kReading);
  declare_header(table, data.reading);
  declare_separator(table, data.reading.separator, data.reading.decimal);
  declare_format(table, data.reading);
  declare_shape(table, data.reading);
  table.add("method", method, "Method (see: tulle methods)").show_default();
  table.add("output", output, "File for the model (.npz)");
  declare_releases(table, keep_releases);
  privacy.declare(table);
  table
      .add("unit", unit, unit_of,
           "Unit of protection: event, one event; user, all events of a user, of which so many rows count")
      .show_default({std::string("event")})
      .group("Privacy");
  declare_user_mode(table, user_mode);
  table
      .add("relation", relation, relation_of,
           "Neighbouring relation: add-remove, the unit is there or not; replace, it is another event "
           "[add-remove]")
      .group("Privacy");
  declare_public(table, data, "INPUT");
  table
      .add("private-keys", private_keys, split_at_commas,
           "Modes whose positions are private too: those with units enough are chosen, at a quarter of "
           "epsilon and all of delta")
      .group("Privacy");
  declare_settings(table, Job::counts, settings);
  ledger.declare(table);
  page.declare(table, false);
  declare_seed(table, seed);
  declare_threads(table);
  table.mark_everyday(
      {"output", "columns", "events", "public", "epsilon", "delta", "account", "method", "report"});
}

}  // namespace tulle
