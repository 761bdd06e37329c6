#include "input/new_rows.hpp"

#include "terminal/terminal.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/io/read.hpp>
#include <tulle/job/owner_fields.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/solve/rows.hpp>
#include <tulle/tensor/mode_of.hpp>

namespace tulle::cli {

void NewRowsOptions::declare(Verb& verb) {
  verb.add_option("--new", file,
                  "File of cells at positions that the model has not seen, such as new users; each is fitted "
                  "from its own cells alone");
  verb.add_option("--new-mode", mode, "Mode of the new positions: a name or a number").show_default();
  verb.add_option("--ridge", ridge, "Regularization of new rows, as a number of cells worth zero [5]");
}

void NewRowsOptions::apply(const ReadOptions& input, ModelFile& model) const {
  if (file.empty()) return;
  const int fresh = mode_of(mode, model.modes, "@new-mode");
  ReadOptions reading = input;
  reading.known = model.modes;
  reading.grow = true;
  Dataset rows = read(file, reading);
  for (std::size_t other = 0; other < model.modes.size(); ++other) {
    const Mode& known = model.modes[other];
    if (static_cast<int>(other) == fresh || rows.modes[other].labels.size() <= known.labels.size()) continue;
    const std::string& label = rows.modes[other].labels[known.labels.size()];
    fail("{}: {} '{}' is not in the model{}; only {} may be new", file, known.name, label,
         suggestion(label, known.labels), model.modes[static_cast<std::size_t>(fresh)].name);
  }
  RowsOptions fitting;
  if (ridge) fitting.ridge = *ridge;
  model.model = fit_rows(model.model, fresh, observed(rows), fitting);
  if (model.interest && model.interest->mode == fresh) model.interest.reset();  // it knows none of them
  model.modes = std::move(rows.modes);
  model.modes[static_cast<std::size_t>(fresh)].any = false;  // each position now has its own row
  say(fmt::format("predictions at positions of {} are computed from its data: {}", file, kForTheOwner));
}

void note_rows_of_users(const ModelFile& model) {
  if (is_for_owner(model))
    say(fmt::format("this model {}: {}", parse_json(model.guarantee).value("remark", "has no guarantee"),
                    kForTheOwner));
  for (const Mode& mode : model.modes)
    if (mode.any)
      say(fmt::format(
          "this model has no rows for single positions of mode {}: it predicts the same for all of them; "
          "give the cells of such positions with --new FILE, or use the model of complete --user-output",
          mode.name));
}

}  // namespace tulle::cli
