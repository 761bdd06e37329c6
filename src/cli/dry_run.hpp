// --dry-run: what a run would release and cost.
#pragma once

#include "parser/verb.hpp"

#include <tulle/job/run_plan.hpp>

namespace tulle::cli {

void declare_dry_run(Verb& verb, bool& dry_run);
void print_plan(const RunPlan& plan, bool json);

}  // namespace tulle::cli
