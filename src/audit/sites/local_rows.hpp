// Random entities of which each site has rows of its own (`local` of a study), for the exact audit.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/data/coupling.hpp>
#include <tulle/job/jobs.hpp>

#include <memory>
#include <vector>

namespace tulle::attacks {

// The coupling of each site, where `random` gives the job such an entity; else empty. `shape` is that of the
// tensors without rows of each site's own.
std::vector<std::shared_ptr<const Coupling>> draw_local_rows(CompletionJob& job, const Shape& shape,
                                                             int sites, Random& random);

// Cells at positions that all sites share, moved to the rows of the site whose coupling this is.
SparseTensor at_local_rows(const SparseTensor& cells, const Coupling& coupling, int user_mode);

}  // namespace tulle::attacks
