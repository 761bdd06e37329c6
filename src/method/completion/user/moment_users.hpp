// Method als for users if the other modes have few positions: releases how values vary together.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Whether there are few enough pairs of positions to release sums for each. Depends on public facts alone.
bool has_few_positions(const PrivateRequest& request);
bool is_of_moments(const Measurement& measured);

Measured measure_moment_users(const PrivateRequest& request, Curator& curator);
Completion estimate_moment_users(const Measurement& measured, const FitOptions& fit);

}  // namespace tulle
