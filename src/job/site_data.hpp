// What a site reads: its own tables of the relations, as one tensor (data/coupling.hpp), and public ones.
#pragma once

#include <tulle/job/site_run.hpp>

namespace tulle {

const SiteStudy::Site& site_of(const SiteJob& job, int number);

// The table of the first relation alone. `seed`: of the cells that are held out.
CompletionData read_first_relation(const SiteJob& job, int site, std::uint64_t seed);

// All relations of the site, with values of further ones moved linearly from their range to that of the run.
// Cells to measure the error on are of the first. `coupling` is set where there are several, or public
// tables.
CompletionData read_site_data(const SiteJob& job, int site, std::uint64_t seed,
                              std::shared_ptr<const Coupling>& coupling);

// What a server has, which holds the shared factors: public positions and tables, and no entry. Of local
// entities it has the rows of the first site, as if that had no data.
CompletionData server_data(const SiteJob& job, std::shared_ptr<const Coupling>& coupling);

}  // namespace tulle
