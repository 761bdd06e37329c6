#include "input/coupled_relation.hpp"

#include <tulle/base/error.hpp>

namespace tulle::cli {

CoupledRelation::CoupledRelation(CoupledFile file, const std::string& relation)
    : file_(std::move(file)), product_(relation.empty() ? 0 : file_.posterior.mean.product_of(relation)) {}

ReadOptions CoupledRelation::reading(ReadOptions options) const {
  options.known = modes_of(file_.posterior.mean, product_, file_.entities);
  options.shape = file_.posterior.mean.shape(product_);
  options.is_column = file_.posterior.mean.products[product_].axes.size() == 1;
  return options;
}

std::vector<double> CoupledRelation::predict(const Cells& cells) const {
  return file_.posterior.predict(product_, cells);
}

std::vector<ValueColumn> CoupledRelation::bounds(const Cells& cells, double probability) const {
  std::vector<ValueColumn> columns = {{"low", {}}, {"high", {}}};
  for (const Interval& interval :
       file_.posterior.intervals(product_, cells, probability, kIntervalDraws, 0)) {
    columns[0].values.push_back(interval.low);
    columns[1].values.push_back(interval.high);
  }
  return columns;
}

void refuse_relation(const std::string& relation) {
  if (!relation.empty()) fail_usage("@relation is for models of tulle couple; omit it");
}

}  // namespace tulle::cli
