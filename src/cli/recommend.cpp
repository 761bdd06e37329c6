// tulle recommend: what a model predicts the largest values for, for one user.
#include "input/new_rows.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/job/recommend.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <algorithm>

namespace tulle::cli {
namespace {

struct Recommend {
  std::string model, user, user_mode = "1", item_mode = "2", unseen, by;
  std::vector<std::string> at;  // MODE=POSITION for every other mode
  std::size_t top = 10;
  NewRowsOptions rows;
  ReadOptions input;
  bool json = false;
};

Index position_of(const Mode& mode, std::uint64_t size, const std::string& text) {
  if (mode.any) return 0;
  const std::optional<Index> found = find_position(mode, text);
  if (found && *found < size) return *found;
  if (mode.labels.empty())
    fail("'{}' is not a position of mode {} of this model; give a number from 1 to {}", text, mode.name,
         size);
  fail("'{}' is not a position of mode {} of this model{}; give what is known of a new one by @new FILE",
       text, mode.name, suggestion(text, mode.labels));
}

// The cell that is asked about, all but its item.
std::vector<Index> cell_of(const Recommend& options, const ModelFile& file, int users, int items) {
  const Shape all = shape(file.model);
  std::vector<std::string> wanted(file.modes.size());
  wanted[static_cast<std::size_t>(users)] = options.user;
  for (const std::string& text : options.at) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) fail_usage("@at {}: expected MODE=POSITION", text);
    const int mode = mode_of(text.substr(0, equals), file.modes, "@at");
    if (mode == items || mode == users)
      fail_usage("@at {}: mode {} has the {}; omit it", text, file.modes[static_cast<std::size_t>(mode)].name,
                 mode == items ? "positions to recommend" : message("user, who is given by @for"));
    wanted[static_cast<std::size_t>(mode)] = text.substr(equals + 1);
  }
  std::vector<Index> cell(file.modes.size());
  for (int mode = 0; mode < all.order(); ++mode) {
    const auto place = static_cast<std::size_t>(mode);
    if (mode == items) continue;
    if (wanted[place].empty())
      fail_usage("the model has a mode {} too; say at which position of it by @at {}=POSITION",
                 file.modes[place].name, file.modes[place].name);
    cell[place] = position_of(file.modes[place], all[mode], wanted[place]);
  }
  return cell;
}

std::optional<CellList> seen_cells(const Recommend& options, const ModelFile& file) {
  if (options.unseen.empty()) return std::nullopt;
  ReadOptions reading = options.input;
  reading.known = file.modes;
  reading.grow = true;  // what the model does not know is not recommended either
  say(fmt::format("what {} lists for the user is left out: {}", options.unseen, kForTheOwner));
  return read_cells(options.unseen, reading);
}

struct Recommendation {
  std::vector<Recommended> items;  // best first
  Mode mode;                       // the one that they are positions of
  bool for_owner;                  // computed from private data: a file of them, or the rows of users
};

Recommendation best_for(const Recommend& options) {
  const Progress progress("recommending");
  ModelFile file = load_completed(options.model);
  options.rows.apply(options.input, file);
  note_rows_of_users(file);
  const int users = mode_of(options.user_mode, file.modes, "@user-mode");
  const int items = mode_of(options.item_mode, file.modes, "@item-mode");
  if (users == items) fail_usage("@user-mode and @item-mode are the same mode; give two");
  const std::optional<CellList> seen = seen_cells(options, file);
  const RecommendBy by = recommend_by(file, options.by, "by", users, items, seen ? &seen->cells : nullptr);
  return {recommend(file, cell_of(options, file, users, items), items, options.top,
                    seen ? items_of(*seen, users, items, options.user) : std::vector<Index>{}, by),
          file.modes[static_cast<std::size_t>(items)],
          !options.unseen.empty() || !options.rows.file.empty() || is_for_owner(file)};
}

void print_best(const Recommendation& best) {
  const Mode mode = in_utf8(best.mode);
  Json list = Json::array();
  for (const auto& [position, value] : best.items)
    list.push_back({{"position", position_name(mode, position)}, {"predicted", value}});
  Json report;
  OwnerFields owner;
  if (best.for_owner) {
    owner.add(report, "recommended", list);
    owner.mark(report);
  } else {
    report["recommended"] = std::move(list);
  }
  fmt::print("{}\n", json_text(report, 2));
}

void run(const Recommend& options) {
  const Recommendation best = best_for(options);
  if (options.json) return print_best(best);
  for (const auto& [position, value] : best.items)
    fmt::print("{:>9.5g}  {}\n", value, legible(position_name(best.mode, position)));
}

}  // namespace

void add_recommend(Verb& command) {
  auto options = std::make_shared<Recommend>();
  Verb verb = command.add_verb("recommend", "List the items that suit a user best");
  verb.add_option("MODEL", options->model, "Model file of tulle complete").required();
  verb.add_option("--for", options->user, "User: a label, or a number if users have no labels").required();
  verb.add_option("--top", options->top, "Number of recommendations").positive().show_default();
  verb.add_option("--unseen", options->unseen,
                  "File of cells; what it lists for the user is not recommended");
  verb.add_option("--by", options->by,
                  "What decides: the predicted rating; popularity, that is how many users have an item and "
                  "which items go together with those that --unseen lists for the user; or both [both, "
                  "where popularity is known: released, or without privacy counted in --unseen]");
  verb.add_option("--user-mode", options->user_mode, "Mode of the users: a name or a number").show_default();
  verb.add_option("--item-mode", options->item_mode, "Mode to recommend from: a name or a number")
      .show_default();
  verb.add_option("--at", options->at, "Position in every other mode: MODE=POSITION (repeatable)")
      .one_value_each_time();
  options->rows.declare(verb);
  declare_json(verb, options->json);
  verb.add_options([&](OptionTable& table) { declare_reading(table, options->input); });
  declare_threads(verb);
  verb.footer(
      "Example:\n  tulle recommend model.npz --for ann --top 3 --unseen ratings.csv\n"
      "  tulle recommend model.npz --for eve --new new.csv --new-mode user");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
