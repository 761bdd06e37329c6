// What a method is given for single entries at public positions, where a test calls its parts.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle::testing {

inline PrivateRequest private_request(SparseTensor data, const Terms& terms, FitOptions fit = {},
                                      Relation relation = Relation::replace) {
  return {PrivateTensor(std::move(data), terms.range, {terms.unit, relation}, terms.user_mode),
          terms,
          relation,
          {},
          std::move(fit)};
}

}  // namespace tulle::testing
