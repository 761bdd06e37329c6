// Checks a private request from public facts, protects the data, runs the method.
#include "fit_checks.hpp"
#include "public_delta.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/coupling.hpp>
#include <tulle/method/private_completion.hpp>
#include <tulle/privacy/margin.hpp>
#include <tulle/tensor/dataset.hpp>

#include <algorithm>

namespace tulle {
namespace {

constexpr double kLargestBound = 1e30;

void check_range(const Range& range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || !(range.low < range.high))
    fail_usage("a range of {}:{} has no values; its lower end must lie below its upper end", range.low,
               range.high);
  if (std::max(std::abs(range.low), std::abs(range.high)) > kLargestBound)
    fail_usage(
        "a range of {}:{} leaves no room for noise in single precision; divide the values and the range",
        range.low, range.high);
}

// A bound of the number of positions of a mode that have cells; exact if the mode has more than kMostUsers.
std::uint64_t distinct_positions(const SparseTensor& observed, int mode) {
  if (observed.shape()[mode] <= PrivateTensor::kMostUsers) return observed.shape()[mode];
  const auto column = observed.column(mode);
  std::vector<Index> positions(column.begin(), column.end());
  std::ranges::sort(positions);
  return static_cast<std::uint64_t>(std::unique(positions.begin(), positions.end()) - positions.begin());
}

void check_data(const SparseTensor& observed, const Terms& terms, Relation relation) {
  const bool users = terms.unit == Unit::user;
  if (users && (terms.user_mode < 0 || terms.user_mode >= observed.order()))
    fail_usage("unit user needs the mode that the users are, 1 .. {}", observed.order());
  if (users && relation == Relation::add_remove &&
      distinct_positions(observed, terms.user_mode) > PrivateTensor::kMostUsers)
    fail("more than {} users; private sums are exact up to so many", PrivateTensor::kMostUsers);
  if (relation == Relation::add_remove) return;
  if (observed.size() == 0) fail("the tensor has no observed cell; there is nothing to complete");
  check_delta_below_one_of(terms.budget.delta, users ? observed.shape()[terms.user_mode] : observed.size(),
                           "units of the data");
}

void check_coupling(const Method& method, const Coupling* coupling, bool published) {
  if (!coupling) return;
  if ((coupling->several() || !coupling->tables.empty()) && (!method.couples || published))
    fail_usage("method {}{} takes one relation and no public tables; take {} in its sound form", method.name,
               published ? " as published" : "", names_of_methods(&Method::couples));
  if (published && !coupling->local.empty())
    fail_usage("method {} as published has no factors of each site's own but users' rows; omit local",
               method.name);
}

// The checks before any method runs, whether it was asked for or picked.
void check_request(const Method& method, const PrivateRequest& request) {
  Terms terms = request.terms;
  terms.relation = request.relation;
  check_model(method, {terms.unit, request.relation}, request.fit.model);
  check_terms(method, terms, request.settings);
  check_reads(method, terms.calibration, request.fit.given());
  if (!method.warm_start && (request.fit.from || !request.fit.held.empty()))
    fail_usage("method {} does not start from a model; omit it", method.name);
  const bool published = terms.calibration == Calibration::published;
  check_coupling(method, request.fit.coupling.get(), published);
  if (request.fit.block_size > 0 && (!method.in_blocks || published))
    fail_usage("method {}{} needs the data of all units together; omit the block size", method.name,
               published ? " as published" : "");
  // Sites add up their releases: these must be sums over units, each unit is at no more sites than stated,
  // and no site may need the others' positions.
  const OverSites over_sites = method.runs_over_sites(terms.calibration);
  const bool adds_up =
      over_sites == OverSites::sums && terms.unit == Unit::user && request.relation == Relation::add_remove;
  // Otherwise each site releases its own entries, at public positions.
  const bool sends_entries = over_sites == OverSites::entries && request.relation == Relation::replace;
  if (terms.sites && !adds_up && !sends_entries)
    fail_usage(
        "method {} does not run over sites on these terms; take method {} for users under add-remove, or {} "
        "for counts under replace",
        method.name, names_of_methods(&Method::sums_over_sites), names_of_methods(&Method::sends_entries));
  check_fit(request.fit, request.data.shape());
  if (request.fit.solver) check_solver(request.fit, true);
}

// ---- What is public of the data ----

// If positions are private, the owner states the shape, except for the size of the mode of users who come and
// go. Entries beyond it do not count: a refusal would reveal them.
SparseTensor in_public_shape(SparseTensor observed, const Terms& terms, const Neighbours& neighbours) {
  if (neighbours.relation != Relation::add_remove) return observed;
  if (!terms.shape)
    fail_usage(
        "under add-remove it is private which cells are observed, and the shape of the data would show the "
        "last of them; state the public size of every mode (Terms::shape), or read the data with their "
        "public positions");
  if (terms.shape->sizes.order() != observed.order())
    fail_usage("the data have {} modes, but public sizes are stated for {}", observed.order(),
               terms.shape->sizes.order());
  Shape shape = terms.shape->sizes;
  if (neighbours.hide_users()) shape = shape.with(terms.user_mode, observed.shape()[terms.user_mode]);
  if (shape == observed.shape()) return observed;
  std::vector<std::size_t> inside;
  for (std::size_t entry = 0; entry < observed.size(); ++entry) {
    const auto cell = observed.cells().cell(entry);
    if (shape.contains(std::span(cell).first(static_cast<std::size_t>(shape.order()))))
      inside.push_back(entry);
  }
  SparseTensor placed(shape, observed.unlisted());
  placed.reserve(inside.size());
  for (const std::size_t entry : inside) {
    const auto cell = observed.cells().cell(entry);
    placed.append(std::span(cell).first(static_cast<std::size_t>(shape.order())), observed.values()[entry]);
  }
  return placed;
}

// The public facts that the guarantee lists, besides those that the caller adds to its scope.
std::vector<std::string> facts_of(const Terms& terms, const Neighbours& neighbours, int order) {
  std::vector<std::string> facts;
  if (terms.shape) facts = terms.shape->facts;
  if (neighbours.relation != Relation::add_remove) {
    const bool said =
        std::ranges::any_of(facts, [](const auto& fact) { return fact.starts_with("which cells"); });
    if (!said && !terms.sites) facts.insert(facts.begin(), "which cells are observed, and their labels");
    return facts;
  }
  if (!facts.empty()) return facts;
  const std::vector<Mode> modes = unnamed_modes(order);
  for (int mode = 0; mode < order; ++mode)
    if (!neighbours.hide_users() || mode != terms.user_mode)
      facts.push_back(size_fact(modes[static_cast<std::size_t>(mode)].name));
  return facts;
}

// The scope of the guarantee: the mode of the users, the public facts, and the model that the fit starts
// from.
Scope scope_of(const Terms& terms, const Neighbours& neighbours, const FitOptions& fit, int order) {
  Scope scope = terms.scope;
  scope.joint = false;  // the method sets these
  scope.adversary = scope.assumption = "";
  if (neighbours.unit == Unit::user) check_users_name(scope.mode, terms.user_mode, order);
  if (neighbours.unit == Unit::user && scope.mode.empty())
    scope.mode = unnamed_modes(order)[static_cast<std::size_t>(terms.user_mode)].name;
  std::vector<std::string> facts = facts_of(terms, neighbours, order);
  facts.insert(facts.end(), scope.public_facts.begin(), scope.public_facts.end());
  scope.public_facts = std::move(facts);
  scope.source = fit.from.source(neighbours, scope.mode);
  return scope;
}

// The options of a fit that a measurement may depend on.
FitOptions for_measuring(const FitOptions& fit, const MeasuredCompletion& parts) {
  return {.model = fit.model,
          .ranks = parts.of_one_rank ? fit.ranks : std::vector<int>(),
          .orders = fit.orders,
          .from = fit.from,
          .held = fit.held,
          .names = fit.names,
          .seed = fit.seed,
          .block_size = fit.block_size};
}

std::vector<FitOption> unread(const Method& method, const PrivateRequest& request) {
  std::vector<FitOption> all = request.fit.given();
  std::erase_if(all, [&](FitOption option) { return method.does_read(option, request.terms.calibration); });
  return all;
}

std::string note_on(const std::vector<FitOption>& unread) {
  if (unread.empty()) return "";
  std::vector<std::string_view> names;
  for (const FitOption option : unread) names.push_back(name(option));
  return fmt::format(" It does not read {}.", fmt::join(names, ", "));
}

const MeasuredCompletion* parts_of(const Method& method, Calibration calibration) {
  return calibration == Calibration::sound ? std::get_if<MeasuredCompletion>(&method.sound) : nullptr;
}

// The public facts, which a measurement keeps beside the releases.
Measurement facts_of(const std::string& method, const PrivateRequest& request) {
  const Terms& terms = request.terms;
  return {.method = method,
          .unit = terms.unit,
          .relation = request.relation,
          .user_mode = terms.unit == Unit::user ? terms.user_mode : 0,
          .shape = request.data.shape(),
          .positions = request.relation == Relation::add_remove ? std::nullopt
                                                                : std::optional(request.data.positions()),
          .low = request.data.range().low,
          .high = request.data.range().high,
          .orders = request.fit.orders,
          .seed = request.fit.seed};
}

// The request that a method gets, after the checks that need no method's code.
PrivateRequest request_of(const Method& method, SparseTensor observed, const Terms& terms,
                          const Settings& settings, const FitOptions& fit,
                          std::span<const std::size_t> blanked) {
  check_range(terms.range);
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  check_data(observed, terms, relation);
  if (!blanked.empty() && relation != Relation::zero_out)
    fail_usage("entries that contribute nothing are for zero-out, not {}", name(relation));
  const Neighbours neighbours{terms.unit, relation};
  const int order = observed.order();
  PrivateRequest request{PrivateTensor(in_public_shape(std::move(observed), terms, neighbours), terms.range,
                                       neighbours, terms.user_mode, blanked),
                         terms, relation, settings, fit};
  request.terms.scope = scope_of(terms, neighbours, fit, order);
  if (terms.calibration == Calibration::sound) request.terms.budget = with_margin(terms.budget);
  check_request(method, request);
  return request;
}

}  // namespace

void check_users_name(const std::string& name, int user_mode, int order) {
  const std::vector<Mode> modes = unnamed_modes(order);
  for (int mode = 0; mode < order; ++mode)
    if (mode != user_mode &&
        (name == modes[static_cast<std::size_t>(mode)].name || name == fmt::format("{}", mode + 1)))
      fail_usage("the terms name mode {} of the users '{}', which is the name of mode {}; omit the name",
                 user_mode + 1, name, mode + 1);
}

std::string size_fact(const std::string& mode) {
  return fmt::format("the size of mode {} (the owner's word)", mode);
}

PrivateRun::PrivateRun(const Method& method, SparseTensor observed, const Terms& terms,
                       const Settings& settings, const FitOptions& fit, std::span<const std::size_t> blanked)
    : method_(method),
      request_(request_of(method, std::move(observed), terms, settings, fit, blanked)),
      choice_(method.pick ? method.pick(request_) : MethodChoice{method.name, ""}),
      unread_(unread(find_method(choice_.method), request_)),
      fit_(request_.fit) {
  const Method& chosen = find_method(choice_.method);
  for (const FitOption option : unread_) fit_.leave_open(option);
  request_.fit = fit_;
  check_request(chosen, request_);
  const MeasuredCompletion* parts = parts_of(chosen, request_.terms.calibration);
  if (!parts) return;
  parts->check(fit_, request_.data.shape(), request_.relation);
  request_.fit = for_measuring(fit_, *parts);
  fit_.block_size = 0;  // an estimate reads no data
}

std::string PrivateRun::picked() const {
  return method_.pick ? std::string(choice_.method) : "";
}

// Measures and estimates, or runs a method that does both at once.
Completion PrivateRun::complete(const Method& chosen, Curator& curator) const {
  const Calibration form = request_.terms.calibration;
  const MeasuredCompletion* parts = parts_of(chosen, form);
  if (!parts)
    return std::get<Method::CompletionRun>(form == Calibration::sound ? chosen.sound : chosen.published)(
        request_, curator);
  Measurement measured = facts_of(chosen.name, request_);
  Measured released = parts->measure(request_, curator);
  measured.releases = std::move(released.releases);
  Completion completion = parts->estimate(measured, fit_);
  if (released.with_user_rows) completion.with_user_rows = released.with_user_rows();
  completion.measured = std::make_shared<const Measurement>(std::move(measured));
  return completion;
}

Completion PrivateRun::run(Curator& curator) const {
  check_curator(curator, method_, request_.terms);
  if (curator.at_site() != request_.terms.sites.has_value())
    fail("a run over sites needs a curator that has joined them, and no other run does");
  curator.set_scope(request_.terms.scope);
  Completion completion = complete(find_method(choice_.method), curator);
  if (method_.pick)
    completion.remarks.insert(
        completion.remarks.begin(),
        fmt::format("Chose method {}: {}.{}", choice_.method, choice_.why, note_on(unread_)));
  completion.guarantee = curator.guarantee();
  if (request_.terms.calibration == Calibration::sound) completion.range = request_.terms.range;
  return completion;
}

Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Settings& settings, const FitOptions& fit, Curator& curator,
                              std::span<const std::size_t> blanked) {
  check_curator(curator, method, terms);
  return PrivateRun(method, std::move(observed), terms, settings, fit, blanked).run(curator);
}

Completion complete_privately(const Method& method, SparseTensor observed, const Terms& terms,
                              const Settings& settings, const FitOptions& fit,
                              std::function<void(const Curator&)> pay) {
  Curator curator = open_curator(method, terms, std::move(pay));
  return complete_privately(method, std::move(observed), terms, settings, fit, curator);
}

}  // namespace tulle
