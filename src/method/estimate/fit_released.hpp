// Estimation from cells, by cross-validation on them. Released cells may be used at no cost, so every choice
// made on them is free: the rank, offsets or none, the ridge.
#pragma once

#include <tulle/method/completion.hpp>

namespace tulle {

// Fits cp or tucker to noisy cells. The rank, at most the one asked for, is chosen by cross-validation, and
// so is whether positions have offsets; rank 0 without offsets is the mean of the cells. A richer model is
// taken only where it is better by more than chance, so that noise without signal comes out as the mean.
//
// A fit that only leads to further releases may be quick: one fold and one start are enough to choose by.
enum class Care { quick, thorough };
Completion fit_released(const SparseTensor& cells, const FitOptions& options, Care care = Care::thorough);

// The same for cells without noise of a release: of all candidates, which differ in the solver too, takes the
// one with the smallest error. Its predictions should be clamped to the range of the cells.
Completion fit_observed(const SparseTensor& cells, const FitOptions& options);

// The options that fit_released() reads: all but biases, which it chooses.
inline constexpr std::array kReleasedFitOptions = {
    FitOption::rank,       FitOption::solver,    FitOption::ridge, FitOption::start,
    FitOption::iterations, FitOption::tolerance, FitOption::seed};

// A UsageError for options that it does not take; methods check them before they release anything.
void check_released_fit(const FitOptions& options);

}  // namespace tulle
