// The noise of differentially private dropout as published (ermis2020, appendix E): noise multipliers per
// step that the paper derives from a total budget. No guarantee follows from them (docs/methods.md).
#pragma once

#include <tulle/privacy/guarantee.hpp>

namespace tulle {

// Advanced composition, with the linearised e^x - 1 and A = 2T as printed; half of delta is for composition.
double dpd_noise_ac(const Budget& budget, double steps, double rate);
// "zCDP": of appendix E's B the form that gives the figures of chapter 8, sqrt(T log(1/delta) /
// log(1.25/delta')).
double dpd_noise_zcdp(const Budget& budget, double steps, double rate);

}  // namespace tulle
