// The page of a run, as options.
#pragma once

#include <tulle/job/options/option_table.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

struct PageOptions {
  std::string path, curve;
  bool owner = false;

  // Without a curve if nothing is private, or if no single place has all data.
  void declare(OptionTable& table, bool with_curve = true);
  bool wanted() const { return !path.empty(); }
  // `scored`: the options that make a run measure its error; `given`: whether one of them was given. A
  // UsageError if the options do not go together.
  void check(bool is_private, const std::string& scored, bool given, const std::string& input) const;
  std::vector<double> epsilons() const;  // of the curve
};

struct AccuracyCurve;  // job/run_page.hpp

}  // namespace tulle

#pragma GCC visibility pop
