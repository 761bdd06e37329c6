// The methods by name: what `--method NAME` runs and `tulle methods` lists.
#pragma once

#include <tulle/method/completion.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

struct Method {
  std::string name;
  std::string title;      // one line
  std::string source;     // the paper it comes from, or "Tulle"
  std::string guarantee;  // what is proven of it
  std::string details;    // a paragraph: what it does, with which solvers and models
  Completion (*complete)(const CompletionRequest&);
};

const std::vector<Method>& methods();
const Method& find_method(std::string_view name);  // a UsageError that lists the names when there is none

}  // namespace tulle
