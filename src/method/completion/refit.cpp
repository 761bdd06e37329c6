// Estimates from what was released before: free, since they see releases and public facts alone.
#include "fit_checks.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/private_completion.hpp>

namespace tulle {
namespace {

const MeasuredCompletion& parts_of(const Method& method) {
  const auto* parts = std::get_if<MeasuredCompletion>(&method.sound);
  if (!parts) fail("method {} keeps no releases that can be refitted", method.name);
  return *parts;
}

}  // namespace

Completion refit(const Measurement& measured, const FitOptions& fit) {
  check(measured);
  const Method& method = find_method(measured.method);
  const MeasuredCompletion& parts = parts_of(method);
  check_reads(method, Calibration::sound, fit.given());
  check_model(method, {measured.unit, measured.relation}, fit.model);
  if (fit.from || !fit.held.empty())
    fail_usage("a refit starts from the releases alone; omit the model to start from");
  if (!fit.orders.empty() && fit.orders != measured.orders)
    fail_usage("a refit keeps the order of modes that the releases were made with; omit it");
  if (fit.block_size > 0) fail_usage("a refit reads no data; omit the block size");
  check_fit(fit, measured.shape);
  parts.check(fit, measured.shape, measured.relation);
  Completion completion = parts.estimate(measured, fit);
  if (!is_finite(completion.model))
    fail("these releases make a model whose parameters are not finite; fit the data again");
  return completion;
}

}  // namespace tulle
