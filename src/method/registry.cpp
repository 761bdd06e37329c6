#include "als.hpp"
#include "auto.hpp"
#include "dpfact.hpp"
#include "factor.hpp"
#include "gradient.hpp"
#include "input.hpp"
#include "local.hpp"
#include "margins.hpp"
#include "one_shot.hpp"
#include "output.hpp"
#include "plain.hpp"
#include "subspace.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/registry.hpp>

namespace tulle {

const std::vector<Method>& methods() {
  static const std::vector<Method> all = {
      auto_method(),  plain_method(), one_shot_method(), margins_method(), als_method(),    subspace_method(),
      input_method(), local_method(), gradient_method(), output_method(),  factor_method(), dpfact_method(),
  };
  return all;
}

const Method& find_method(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  fail_usage("there is no method '{}'; there is: {}", name, fmt::join(names, ", "));
}

}  // namespace tulle
