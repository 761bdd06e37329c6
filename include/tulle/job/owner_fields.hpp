// Output for the owner of the data only: computed from private data, or a measurement of the run, and covered
// by no guarantee. It is always marked, so that everything else may be published.
#pragma once

#include <tulle/privacy/protected.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// The fields of a JSON report that are for the owner, listed in its field "owner_only".
class OwnerFields {
 public:
  template <class Value>
  void add(nlohmann::ordered_json& report, const std::string& field, const Value& value) {
    report[field] = value;
    fields_.push_back(field);
  }
  void mark(nlohmann::ordered_json& report) const {
    report["owner_only"] = {{"fields", fields_}, {"note", kForTheOwner}};
  }

 private:
  std::vector<std::string> fields_;
};

}  // namespace tulle

#pragma GCC visibility pop
