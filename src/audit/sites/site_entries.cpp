#include "sites/site_entries.hpp"

#include "completion_subject.hpp"
#include "sites/site_cast.hpp"

#include <tulle/base/error.hpp>

#include <array>

namespace tulle::attacks {
namespace {

// One user with values at both ends of the range.
SparseTensor table_of(std::initializer_list<Index> users) {
  SparseTensor table(Shape{2, 3, 1}, Unlisted::missing);
  for (Index user : users)
    for (Index item = 0; item < 3; ++item)
      table.append(std::array<Index, 3>{user, item, 0}, user == 1 && item > 0 ? 1.0F : 0.0F);
  return table;
}

// Two tables of one site, by a secret of 0 or 1.
struct OwnTables {
  Neighbours neighbours;
  const char* canary;
  SparseTensor (*of)(double secret);
  Watched unit;  // that may be sampled
};

constexpr double kDelta = 1e-5;
const OwnTables kUserOrNot{{Unit::user, Relation::add_remove},
                           "a user of the last site",
                           [](double secret) {
                             return secret < 0.5 ? table_of({0}) : table_of({0, 1});
                           },
                           Watched(1)};
const OwnTables kValueOfUser{{Unit::entry, Relation::replace},
                             "a value of the last site",
                             [](double secret) {
                               SparseTensor table = table_of({0});
                               table.values()[2] = secret < 0.5 ? 0.0F : 1.0F;
                               return table;
                             },
                             std::nullopt};

struct SiteCase {
  std::string method;
  int sites = 3;
  Sites stated = {};
  Settings settings = {};
  std::uint64_t trials = 1'000, quick_trials = 100;
  bool slow = true;  // left out of tests: every sum takes keys of all pairs of sites
};

struct SitesRunner {
  SiteCast cast;
  OwnTables own;

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const Completion completion = attacks::observe(
        [&](double which, Curator& curator) { return run_over_sites(cast, own.of(which), curator); },
        [&](RandomBits stream) { return cast.job.open(std::move(stream)); }, secret, bits, own.unit, own.unit,
        seen);
    seen.output = numbers_of(completion.model);
    return seen;
  }

  Guarantee account() const {
    Curator curator = cast.job.open(RandomBits::seeded(0));
    return run_over_sites(cast, own.of(1), curator).guarantee;
  }
};

AuditEntry site_entry(const SiteCase& how, const OwnTables& own) {
  const double delta =
      find_method(how.method).sends_entries ? 0 : kDelta;  // two-sided geometric noise is pure
  const CompletionCase central{
      .method = how.method, .neighbours = own.neighbours, .delta = delta, .settings = how.settings};
  return {.name = how.method,
          .neighbours = own.neighbours,
          .model = fmt::format("cp over {} sites", how.sites),
          .delta = delta,
          .trials = how.trials,
          .quick_trials = how.quick_trials,
          .slow = how.slow,
          .subject = [how, own, central](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            SitesRunner run{{.job = job_of(central, budget), .tables = {}, .watched = how.sites - 1}, own};
            run.cast.job.terms.sites = how.stated;
            for (int site = 0; site < how.sites; ++site) run.cast.tables.push_back(table_of({0}));
            return Subject{
                .canary = fmt::format("{}; {} may collude, {} are left", own.canary, how.stated.colluding,
                                      run.cast.sum_terms().threshold),
                .claimed_epsilon = budget.epsilon,
                .account = [run] { return run.account(); },
                .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
                .pair = neighbouring_pair(run.cast, own.of(0), own.of(1))};
          }};
}

}  // namespace

std::vector<AuditEntry> site_entries() {
  // Gradients of any length are cut to this one, so that each user adds all that she may.
  const Settings steps = Settings().set(setting::steps, 2).set(setting::clip, 0.01);
  return {
      site_entry({.method = "dp-sgld", .sites = 2, .stated = {.colluding = 1}, .settings = steps},
                 kUserOrNot),
      site_entry({.method = "als", .stated = {.colluding = 1}}, kUserOrNot),
      site_entry({.method = "als", .sites = 2, .stated = {.colluding = 0}, .slow = false}, kUserOrNot),
      site_entry(
          {.method = "gradient", .sites = 4, .stated = {.colluding = 0, .threshold = 3}, .settings = steps},
          kUserOrNot),
      site_entry({.method = "ldp1", .sites = 2, .stated = {.colluding = 1}}, kValueOfUser),
      site_entry({.method = "ldp2", .sites = 2, .stated = {.colluding = 1}}, kValueOfUser)};
}

}  // namespace tulle::attacks
