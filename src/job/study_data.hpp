// The data of a private study, in one place or as a site has them: its own tables of the users' relations, as
// one tensor (data/coupling.hpp), and public ones.
#pragma once

#include <tulle/io/study.hpp>
#include <tulle/job/completion_data.hpp>

namespace tulle {

// The one place that has all tables is number 0.
const StudyFile::Site& site_of(const StudyFile& study, int number);

// The table of the first relation alone. `seed`: of the cells that are held out.
CompletionData read_first_relation(const StudyFile& study, int site, std::uint64_t seed);

// All relations of the site, with values of further ones moved linearly from their range to that of the run.
// Cells to measure the error on are of the first. Its coupling is set where there are several, or public
// tables.
CompletionData read_study_data(const StudyFile& study, const Range& range, int site, std::uint64_t seed);

// What a server has, which holds the shared factors: public positions and tables, and no entry. Of local
// entities it has the rows of the first site, as if that had no data.
CompletionData server_data(const StudyFile& study, const Range& range);

}  // namespace tulle
