#include "sites/site_cast.hpp"
#include "subjects.hpp"

namespace tulle::attacks {
namespace {

struct SitesRunner {
  SiteCast cast;
  CraftedTensor own;  // of the watched site

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const Completion completion = attacks::observe(
        [&](double which, Curator& curator) { return run_over_sites(cast, own.data(which), curator); },
        [&](RandomBits stream) { return cast.job.open(std::move(stream)); }, secret, bits, own.watched_first,
        own.watched_second, seen);
    seen.output = numbers_of(completion.model);
    return seen;
  }

  Guarantee account() const {
    Curator curator = cast.job.open(RandomBits::seeded(0));
    return run_over_sites(cast, own.data(1), curator).guarantee;
  }
};

}  // namespace

Subject site_subject(const Method& method, const WorstCase& worst, const CraftedTensor& crafted,
                     const Budget& budget) {
  SitesRunner run{{.job = job_of(method, worst, budget), .tables = {}, .watched = worst.sites - 1}, crafted};
  run.cast.job.terms.sites = worst.stated;
  run.cast.tables.assign(static_cast<std::size_t>(worst.sites), crafted.data(0));
  return {.canary = fmt::format("{}, at the last site; {} may collude, {} are left", crafted.canary,
                                worst.stated.colluding, run.cast.sites().sum_terms().threshold),
          .claimed_epsilon = budget.epsilon,
          .account = [run] { return run.account(); },
          .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
          .pair = neighbouring_pair(run.cast, crafted.data(0), crafted.data(1))};
}

}  // namespace tulle::attacks
