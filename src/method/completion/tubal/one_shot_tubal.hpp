#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// The one-shot method for the tubal model: every entry once, alone or with its neighbours, then estimation
// with the known noise.
void check_tubal(const FitOptions& fit, const Shape& shape);
Releases measure_tubal(const PrivateRequest& request, Curator& curator);
bool is_measured_for_tubal(const Measurement& measured);
Completion estimate_tubal(const Measurement& measured, const FitOptions& fit);

}  // namespace tulle
