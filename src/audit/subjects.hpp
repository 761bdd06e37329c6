// Subjects of the audit, made of the worst cases of methods.
#pragma once

#include "transcript.hpp"

#include <tulle/audit/entries.hpp>
#include <tulle/job/jobs.hpp>

namespace tulle::attacks {

// `worst` is a worst case of the method, and `crafted` its data. Under budget: what the method runs with.
Subject subject_of(const Method& method, const WorstCase& worst, const CraftedTensor& crafted,
                   const Budget& budget);
ManyCanaries subject_of(const Method& method, const WorstCase& worst, const CraftedCells& crafted,
                        const Budget& budget);
Subject subject_of(const Method& method, const WorstCase& worst, const CraftedCounts& crafted,
                   const Budget& budget);
Subject subject_of(const Method& method, const WorstCase& worst, const CraftedDocuments& crafted,
                   const Budget& budget);
Subject subject_of(const Method& method, const WorstCase& worst, const CraftedNumbers& crafted,
                   const Budget& budget);
Subject subject_of(const Method& method, const WorstCase& worst, const CraftedExamples& crafted,
                   const Budget& budget);
// The same over several sites.
Subject site_subject(const Method& method, const WorstCase& worst, const CraftedTensor& crafted,
                     const Budget& budget);

// The entry of a worst case in the table of audits.
AuditEntry entry_of(const Method& method, const WorstCase& worst);

// The completion that the command makes with `budget`.
CompletionJob job_of(const Method& method, const WorstCase& worst, const Budget& budget);
// The auditor makes the data, and both data sets have the same shape, so it is public.
CompletionJob on_crafted_data(CompletionJob job, const Shape& shape);

// All parameters of a model in a row.
std::vector<double> numbers_of(const Model& model);

}  // namespace tulle::attacks
