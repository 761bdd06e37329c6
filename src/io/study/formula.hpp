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

// An Error that begins with `where`, and says at which character, when it is none or a letter stands twice in
// one term.
Formula parse_formula(std::string_view text, const std::string& where);

}  // namespace tulle
