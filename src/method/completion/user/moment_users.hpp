// Method als for users where the other modes have few positions: what is released is how values vary
// together.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Whether pairs of positions are few enough to release something of each. By public facts.
bool has_few_positions(const PrivateRequest& request);
bool is_of_moments(const Measurement& measured);

Measured measure_moment_users(const PrivateRequest& request, Curator& curator);
Completion estimate_moment_users(const Measurement& measured, const FitOptions& fit);

}  // namespace tulle
