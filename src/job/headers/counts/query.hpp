// Sums of estimated counts, with intervals: free, as often as one likes.
#pragma once

#include <tulle/io/model_file.hpp>
#include <tulle/job/options/option_table.hpp>

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct QueryOptions {
  std::string model;                            // a file
  std::shared_ptr<const ModelFile> from_model;  // or the model itself
  std::vector<std::string> sum_over;            // modes; the others are listed
  std::vector<std::string> where;               // MODE=LABEL,FIRST:LAST: the positions that count
  double probability = 0.9;                     // of an interval
  std::string output;                           // .csv or .tsv; "": the terminal
  std::string margins;  // .csv or .tsv: instead of sums, for the margins as they were released

  void declare(OptionTable& table);
};

// One line per combination of positions of the modes that are not added up.
struct CountSums {
  std::vector<Mode> modes;  // those
  struct Line {
    std::vector<std::string> positions;
    Estimated count;
    double low, high;  // bounds of its interval, 0 or more
  };
  std::vector<Line> lines;
};

CountSums query(const QueryOptions& options);

nlohmann::ordered_json to_json(const CountSums& sums);
void save(const std::string& path, const CountSums& sums);

// Writes `options.margins`, and returns their number. An Error where the model keeps no releases.
std::size_t save_margins(const QueryOptions& options);

}  // namespace tulle
