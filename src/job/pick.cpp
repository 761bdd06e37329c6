#include <tulle/job/pick.hpp>
#include <tulle/privacy/margin.hpp>

namespace tulle {

std::string picked_method(const CompletionJob& job, SparseTensor observed) {
  const Method& method = job.found();
  const Terms& terms = job.terms;
  if (!method.pick) return "";
  const Relation relation = relation_for(method, terms.unit, terms.relation);
  if (observed.size() == 0 && relation != Relation::add_remove) return "";  // refused by the run
  PrivateRequest request{
      PrivateTensor(std::move(observed), terms.range, {terms.unit, relation}, terms.user_mode), terms,
      relation, job.settings, job.fit};
  if (terms.calibration == Calibration::sound) request.terms.budget = with_margin(terms.budget);
  return std::string(method.pick(request).method);
}

}  // namespace tulle
