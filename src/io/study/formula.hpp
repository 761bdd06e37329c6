// Formulas such as X[u,p,a] = U[u,k] P[p,l] A[a,m] G[k,l,m].
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tulle {

struct Term {
  std::string name;
  std::vector<std::string> letters;

  bool operator==(const Term& other) const = default;
};

struct Formula {
  Term left;
  std::vector<Term> factors;
};

// Throws an Error, which begins with `where` and states the character, if the text is not a formula or a
// letter occurs twice in one term.
Formula parse_formula(std::string_view text, const std::string& where);

}  // namespace tulle
