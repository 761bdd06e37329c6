// Random entities with separate rows at each site (`local` in a study), for the exact audit.
#pragma once

#include <tulle/base/random.hpp>
#include <tulle/data/coupling.hpp>
#include <tulle/job/jobs.hpp>

#include <memory>
#include <vector>

namespace tulle::attacks {

// The coupling of each site, if `random` gives the job such an entity; else empty. `shape` is that of the
// tensors without rows of single sites.
std::vector<std::shared_ptr<const Coupling>> draw_local_rows(CompletionJob& job, const Shape& shape,
                                                             int sites, Random& random);

// Moves cells from positions that all sites share to the rows of the site with this coupling.
SparseTensor at_local_rows(const SparseTensor& cells, const Coupling& coupling, int user_mode);

}  // namespace tulle::attacks
