// The two forms of method als.
#pragma once

#include <tulle/method/private_completion.hpp>

namespace tulle {

// Components that were asked for, if any were: of a tucker model as many as its smallest rank,
// within what a core may have.
std::optional<int> wanted_components(const FitOptions& fit);

// What was released for one number of components is so for no other one, but offsets are offsets: whether
// they alone are asked for, of releases that were made for more. A UsageError where others are.
bool offsets_alone(const std::optional<int>& released_for, const FitOptions& fit);
inline const std::string kOffsetsOfMore = "Took the offsets alone of releases that were made for more.";

// An Error unless there are releases with this id, each of the size that its mode has here: a file may ask
// for any number of components, and has no more than it has numbers for.
void check_swept(const Measurement& measured, std::string_view id, const std::vector<std::size_t>& sizes);

// Both answer with a cp model.
Releases measure_als_entries(const PrivateRequest& request, Curator& curator);
Completion estimate_als_entries(const Measurement& measured, const FitOptions& fit);
Measured measure_als_users(const PrivateRequest& request, Curator& curator);
Completion estimate_als_users(const Measurement& measured, const FitOptions& fit);

}  // namespace tulle
