// The outcome of a job for people: one HTML page that states what was protected, against whom and how well,
// with every release and drawings of the model.
//
// It is made from the JSON report of the run and the published model. It omits the owner's fields, unless it
// has a part for the owner, which is labelled as such.
#pragma once

#include <tulle/io/saved_model.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct Drawing {
  std::string svg, caption;
};

// Drawings of a publishable model.
std::vector<Drawing> drawings_of(const ModelFile& file);
std::vector<Drawing> drawings_of(const NetworkFile& file);
std::vector<Drawing> drawings_of(const CoupledFile& file);
std::vector<Drawing> drawings_of(const SavedModel& model);

// A score of runs with other budgets on the same data. They are charged to no account and their models are
// thrown away, so the curve is for the owner of the data only.
struct AccuracyCurve {
  std::string score;  // its name in the report
  int repeats = 1;
  struct Point {
    double epsilon, mean, deviation;  // standard deviation among the repeats
  };
  std::vector<Point> points;
  // What predicts without a model and without noise, by its name in the report: the mean over the runs, which
  // may hold out different cells.
  struct Level {
    std::string name;
    double score;
  };
  std::vector<Level> levels = {};
};

struct OwnerPart {
  std::vector<AccuracyCurve> curves = {};
  std::string ledger_head;  // hash of the ledger's last row; empty: no ledger
};

struct RunPage {
  std::string title;
  nlohmann::ordered_json result;  // the report of the run
  std::vector<Drawing> drawings;
  struct Check {
    std::string what, command;
  };
  std::vector<Check> checks;       // how to verify the statements of the page
  std::optional<OwnerPart> owner;  // none: the page holds only public facts and releases
};

std::string to_page(const RunPage& page);

// Whether the epsilon of a guarantee, in JSON, is that of its record: everything planned was released, and
// the record holds what was accounted, which records of earlier versions do not.
bool is_composed_of_its_record(const nlohmann::ordered_json& guarantee);

}  // namespace tulle
