#include <tulle/base/error.hpp>
#include <tulle/solve/warm_start.hpp>

#include <set>

namespace tulle {

void check_warm_start(const Shape* model, const Shape& data, const std::vector<int>& held) {
  if (model == nullptr) {
    if (!held.empty()) fail_usage("modes can only be held where there is a model to start from; give one");
    return;
  }
  if (*model != data)
    fail_usage("a fit of a {} tensor cannot start from a model of shape {}", data.text(), model->text());
  for (int mode : held)
    if (mode < 0 || mode >= data.order()) fail_usage("there is no mode {} to hold", mode + 1);
  if (std::set<int>(held.begin(), held.end()).size() == static_cast<std::size_t>(data.order()))
    fail_usage("all modes are held, so there is nothing to fit; leave one free");
}

}  // namespace tulle
