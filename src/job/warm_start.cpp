#include <tulle/base/error.hpp>
#include <tulle/job/warm_start.hpp>

#include <algorithm>

namespace tulle {

WarmStart warm_start_of(ModelFile file, std::string name) {
  const std::string guarantee = std::move(file.guarantee);
  return WarmStart::with_guarantee(std::make_shared<const Model>(std::move(file.model)), guarantee,
                                   std::move(name));
}

void check_same_positions(const std::string& path, const std::vector<Mode>& model,
                          const std::vector<Mode>& data) {
  for (std::size_t mode = 0; mode < std::min(model.size(), data.size()); ++mode)
    if (!data[mode].any && model[mode].labels != data[mode].labels)
      fail(
          "{}: the positions of mode {} are named otherwise, or in another order, than those of the data; "
          "list the data in the order of the model's",
          path, data[mode].name);
}

}  // namespace tulle
