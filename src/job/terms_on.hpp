// The terms of a private completion on its data (jobs.cpp): what is checked of them before anything looks at
// them, and what the guarantee then says. docs/guarantee-checks.md has the list.
#pragma once

#include <tulle/job/completion_data.hpp>
#include <tulle/job/jobs.hpp>

namespace tulle {

// The terms of a private job on these data: with the mode of the users by its name, and with what is public.
// A UsageError where rows were merged that the relation does not allow for, or where positions that are
// private have labels that were found in the data.
Terms terms_on(const CompletionJob& job, const Dataset& data);
// The same; a UsageError where the data were read for a weaker guarantee, or a part of them would be looked
// at without a charge.
Terms terms_on(const CompletionJob& job, const CompletionData& data);

[[noreturn]] void refuse_validation();

}  // namespace tulle
