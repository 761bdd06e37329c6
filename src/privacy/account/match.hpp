#pragma once

namespace tulle {

// A visitor with one function for each case.
template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;  // clang 14 does not derive it from the aggregate

}  // namespace tulle
