// The two forms of method als.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// The number of components that was asked for, if any. For a tucker model it is the smallest rank, within the
// limit of a core.
std::optional<int> wanted_components(const FitOptions& fit);

// Releases made for one number of components serve no other number, except that offsets alone can always be
// used. Returns whether only offsets are asked for, of releases that were made for more. A UsageError if
// another number of components is asked for.
bool offsets_alone(const std::optional<int>& released_for, const FitOptions& fit);
inline const std::string kOffsetsOfMore = "Took the offsets alone of releases that were made for more.";

// An Error unless there are releases with this id, one of each mode's size: a damaged file may state any
// number of components.
void check_swept(const Measurement& measured, std::string_view id, const std::vector<std::size_t>& sizes);

// Both answer with a cp model.
Releases measure_als_entries(const PrivateRequest& request, Curator& curator);
Completion estimate_als_entries(const Measurement& measured, const FitOptions& fit);
Measured measure_als_users(const PrivateRequest& request, Curator& curator);
Completion estimate_als_users(const Measurement& measured, const FitOptions& fit);

}  // namespace tulle
