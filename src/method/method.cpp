#include "classification/best_classifier.hpp"
#include "classification/dpd_classifier.hpp"
#include "classification/plain_classifier.hpp"
#include "classification/sgd_classifier.hpp"
#include "classification/sgld_classifier.hpp"
#include "completion/als.hpp"
#include "completion/auto.hpp"
#include "completion/dp_sgld.hpp"
#include "completion/entry/factor.hpp"
#include "completion/entry/margins.hpp"
#include "completion/entry/one_shot.hpp"
#include "completion/entry/ops.hpp"
#include "completion/entry/output.hpp"
#include "completion/entry/subspace.hpp"
#include "completion/gradient.hpp"
#include "completion/input.hpp"
#include "completion/ldp.hpp"
#include "completion/local.hpp"
#include "completion/plain.hpp"
#include "published/dpfact.hpp"
#include "published/hua2015.hpp"
#include "published/liu2015.hpp"
#include "topics/agn.hpp"
#include "topics/avn.hpp"
#include "topics/histogram.hpp"
#include "topics/plain.hpp"
#include "topics/power.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/method/method.hpp>

#include <algorithm>

namespace tulle {
namespace {

// References to methods stay valid when others are registered: hence a deque.
std::deque<Method>& registered(Job job) {
  static std::deque<Method> completion = {
      auto_method(),     plain_method(),   one_shot_method(), margins_method(),  als_method(),
      subspace_method(), input_method(),   local_method(),    gradient_method(), output_method(),
      factor_method(),   dpfact_method(),  dp_sgld_method(),  ldp1_method(),     ldp2_method(),
      ops_method(),      hua2015_method(), liu2015_method(),
  };
  static std::deque<Method> topics = {histogram_topics(), plain_topics(), agn_topics(), avn_topics(),
                                      power_topics()};
  static std::deque<Method> classification = {best_classifier(), plain_classifier(), sgd_classifier(),
                                              sgld_classifier(), dpd_classifier()};
  return job == Job::completion ? completion : job == Job::topics ? topics : classification;
}

std::string list_of(const std::vector<Neighbours>& pairs) {
  std::vector<std::string> texts;
  for (const Neighbours& pair : pairs)
    texts.push_back(fmt::format("{} under {}", name(pair.unit), name(pair.relation)));
  return fmt::format("{}", fmt::join(texts, ", "));
}

PublishedClaim claim_of(const Method& method, const Terms& terms) {
  return {method.source, terms.budget, method.why_unproven};
}

}  // namespace

const std::deque<Method>& methods(Job job) {
  return registered(job);
}

void register_method(Method method) {
  std::deque<Method>& all = registered(method.job);
  if (std::ranges::find(all, method.name, &Method::name) != all.end())
    fail_usage("there is a method '{}' already; choose another name", method.name);
  all.push_back(std::move(method));
}

const Method& find_method(std::string_view name, Job job) {
  std::vector<std::string> names;
  for (const Method& method : methods(job)) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  fail_unknown("method", name, names);
}

Relation relation_for(const Method& method, Unit unit, std::optional<Relation> relation) {
  for (const Neighbours& pair : method.protects)
    if (pair.unit == unit && pair.relation == relation.value_or(pair.relation)) return pair.relation;
  if (!method.is_private())
    fail_usage("method {} has no privacy guarantee; leave the budget out, or choose another method",
               method.name);
  fail_usage("method {} does not protect unit {}{}; it protects {}", method.name, name(unit),
             relation ? fmt::format(" under {}", name(*relation)) : "", list_of(method.protects));
}

Curator open_curator(const Method& method, const Terms& terms, RandomBits bits) {
  if (!method.is_private()) return Curator::without_privacy();
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  // The run says what is public of the data.
  return terms.calibration == Calibration::published
             ? Curator::as_published(claim_of(method, terms), terms.unit, relation, std::move(bits))
             : Curator::with_budget(terms.budget, terms.unit, relation, std::move(bits));
}

Curator open_curator(const Method& method, const Terms& terms, std::function<void(const Curator&)> pay) {
  Curator curator =
      open_curator(method, terms, terms.seed ? RandomBits::seeded(*terms.seed) : RandomBits::secure());
  curator.before_first_release(std::move(pay));
  return curator;
}

void check_terms(const Method& method, const Terms& terms, const Settings& settings) {
  const bool sound = terms.calibration == Calibration::sound;
  settings.check(method.name, method.settings, !sound);
  if (!sound && !method.has(Calibration::published))
    fail_usage("method {} has no published form; run its sound form", method.name);
  if (sound && method.is_private() && !method.has(Calibration::sound))
    fail_usage("method {} has no proven form; run it as published[ (@calibration published)], or use {}",
               method.name, method.instead.empty() ? "another method" : method.instead);
  if (!method.is_private()) return;
  relation_for(method, terms.unit, terms.relation);
  if (sound && method.needs_delta && terms.budget.delta == 0)
    fail_usage("method {} needs a delta above 0, such as 1e-6", method.name);
}

void check_curator(const Curator& curator, const Method& method, const Terms& terms) {
  if (!method.is_private()) return;
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  if (curator.unit() != terms.unit || curator.relation() != relation)
    fail_usage("the curator protects unit {} under {}, but the terms say unit {} under {}; open it for these",
               name(curator.unit()), name(curator.relation()), name(terms.unit), name(relation));
  if (curator.published() && curator.claim() != claim_of(method, terms))
    fail_usage(
        "the curator is for the claim of another method, or of another budget; open it for these terms");
  if (curator.published() != (terms.calibration == Calibration::published))
    fail_usage(
        "the curator is for the {} form of a method, but the terms ask for the other; open it for these",
        curator.published() ? "published" : "sound");
}

}  // namespace tulle
