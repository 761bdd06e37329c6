// Step sizes and noise of DP-CMF and DP-CTF as published (ermis2020: algorithms 1 and 2, appendices B and C,
// equations 4.26 to 4.29). No guarantee follows from them (docs/methods.md).
#pragma once

#include <tulle/method/settings.hpp>
#include <tulle/privacy/guarantee.hpp>

namespace tulle {

struct SgldRun {
  Budget budget;
  double steps;  // T: minibatches
  double rate;   // q = B / S
  double cells;  // S, of a site
  double clip;   // G, used as the Lipschitz constant L too
  double first;  // step size where the rule leaves it open
};

struct SgldStep {
  double size;       // eta_t
  double deviation;  // sigma_t of what is added to a factor, beside eta_t times a gradient of length G
};

// Step t = 1 .. T.
SgldStep sgld_step(SgldRule rule, const SgldRun& run, int step);

}  // namespace tulle
