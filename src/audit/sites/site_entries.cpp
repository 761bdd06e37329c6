#include "sites/site_entries.hpp"

#include "completion_subject.hpp"
#include "sites/site_cast.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/coupling.hpp>

#include <array>

namespace tulle::attacks {
namespace {

// Values of each user; the second one has values at both ends of the range.
SparseTensor table_of(std::initializer_list<Index> users) {
  SparseTensor table(Shape{2, 3, 1}, Unlisted::missing);
  for (Index user : users)
    for (Index item = 0; item < 3; ++item)
      table.append(std::array<Index, 3>{user, item, 0}, user == 1 && item > 0 ? 1.0F : 0.0F);
  return table;
}

// The same users in two relations: the first item, and the other two items without their third entity.
Coupling two_relations() {
  Coupling coupling{.sizes = {1, 3, 1}, .relations = {{"first", {0, 1, 2}}, {"second", {0, 1}}}};
  PublicTable features{"features", SparseTensor(Shape{3, 2}, Unlisted::missing), {1, PublicTable::kOwn}};
  for (Index item = 0; item < 3; ++item)
    for (Index feature = 0; feature < 2; ++feature)
      features.cells.append(std::array{item, feature}, static_cast<float>(item * feature));
  coupling.tables.push_back(std::move(features));
  return coupling;
}

SparseTensor in_two_relations(const SparseTensor& table) {
  SparseTensor first(table.shape(), Unlisted::missing), second(Shape{2, 3}, Unlisted::missing);
  for (std::size_t entry = 0; entry < table.size(); ++entry) {
    const auto cell = table.cells().cell(entry);
    if (cell[1] == 0)
      first.append(std::span(cell).first(3), table.values()[entry]);
    else
      second.append(std::span(cell).first(2), table.values()[entry]);
  }
  const Coupling coupling = two_relations();
  SparseTensor all(coupling.shape(0, 2), Unlisted::missing);
  append_stacked(all, coupling, 0, first);
  append_stacked(all, coupling, 1, second);
  return all;
}

// Two tables of one site, for a secret of 0 or 1.
struct OwnTables {
  Neighbours neighbours;
  const char* canary;
  SparseTensor (*of)(double secret);
  Watched unit;  // the unit that may be sampled
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

const OwnTables kUserInTwoRelations{{Unit::user, Relation::add_remove},
                                    "a user of the last site, in two relations",
                                    [](double secret) { return in_two_relations(kUserOrNot.of(secret)); },
                                    Watched(1)};

struct SiteCase {
  std::string method;
  int sites = 3;
  Sites stated = {};
  Settings settings = {};
  std::uint64_t trials = 1'000, quick_trials = 100;
  bool slow = true;      // left out of tests: every sum needs keys of all pairs of sites
  bool coupled = false;  // tables of two relations
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
  const double delta = find_method(how.method).over_sites == OverSites::entries
                           ? 0
                           : kDelta;  // two-sided geometric noise is pure
  const CompletionCase central{
      .method = how.method, .neighbours = own.neighbours, .delta = delta, .settings = how.settings};
  return {.name = how.method,
          .neighbours = own.neighbours,
          .model = fmt::format("cp{} over {} sites", how.coupled ? " of two relations" : "", how.sites),
          .delta = delta,
          .trials = how.trials,
          .quick_trials = how.quick_trials,
          .slow = how.slow,
          .subject = [how, own, central](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            SitesRunner run{{.job = job_of(central, budget), .tables = {}, .watched = how.sites - 1}, own};
            run.cast.job.terms.sites = how.stated;
            if (how.coupled) run.cast.job.fit.coupling = std::make_shared<const Coupling>(two_relations());
            for (int site = 0; site < how.sites; ++site)
              run.cast.tables.push_back(how.coupled ? in_two_relations(table_of({0})) : table_of({0}));
            return Subject{
                .canary = fmt::format("{}; {} may collude, {} are left", own.canary, how.stated.colluding,
                                      run.cast.sites().sum_terms().threshold),
                .claimed_epsilon = budget.epsilon,
                .account = [run] { return run.account(); },
                .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
                .pair = neighbouring_pair(run.cast, own.of(0), own.of(1))};
          }};
}

}  // namespace

AuditEntry coupled_entry() {
  AuditEntry entry = completion_entry({.method = "dp-sgld",
                                       .neighbours = kUserInTwoRelations.neighbours,
                                       .delta = kDelta,
                                       .settings = Settings().set(setting::steps, 2).set(setting::clip, 0.01),
                                       .coupling = std::make_shared<const Coupling>(two_relations())},
                                      {.canary = "a user with cells in two relations, there or not",
                                       .data = kUserInTwoRelations.of,
                                       .watched_first = kUserInTwoRelations.unit,  // a row without cells
                                       .watched_second = kUserInTwoRelations.unit});
  entry.model = "cp of two relations";
  return entry;
}

std::vector<AuditEntry> site_entries() {
  // Gradients are clipped to this norm, so small that each user contributes as much as she may.
  const Settings steps = Settings().set(setting::steps, 2).set(setting::clip, 0.01);
  return {
      site_entry({.method = "dp-sgld", .sites = 2, .stated = {.colluding = 1}, .settings = steps},
                 kUserOrNot),
      site_entry(
          {.method = "dp-sgld", .sites = 2, .stated = {.colluding = 1}, .settings = steps, .coupled = true},
          kUserInTwoRelations),
      site_entry({.method = "als", .stated = {.colluding = 1}}, kUserOrNot),
      site_entry({.method = "als", .sites = 2, .stated = {.colluding = 0}, .slow = false}, kUserOrNot),
      site_entry(
          {.method = "gradient", .sites = 4, .stated = {.colluding = 0, .threshold = 3}, .settings = steps},
          kUserOrNot),
      site_entry({.method = "ldp1", .sites = 2, .stated = {.colluding = 1}}, kValueOfUser),
      site_entry({.method = "ldp2", .sites = 2, .stated = {.colluding = 1}}, kValueOfUser)};
}

}  // namespace tulle::attacks
