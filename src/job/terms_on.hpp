// The terms of a private completion on its data (jobs.cpp): the checks before the data are used, and the
// public facts of the guarantee. docs/guarantee-checks.md has the list.
#pragma once

#include <tulle/job/completion_data.hpp>
#include <tulle/job/jobs.hpp>

namespace tulle {

// The terms of a private job on these data, with the name of the users' mode and with the public facts. A
// UsageError if rows were merged that the relation does not allow, or if private positions have labels that
// were found in the data.
Terms terms_on(const CompletionJob& job, const Dataset& data);
// The same; a UsageError if the data were read for a weaker guarantee, or a part of them would be used
// without a charge.
Terms terms_on(const CompletionJob& job, const CompletionData& data);

[[noreturn]] void refuse_validation();

}  // namespace tulle
