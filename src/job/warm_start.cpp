#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/job/warm_start.hpp>

#include <algorithm>

namespace tulle {

void check_same_positions(const std::string& path, const std::vector<Mode>& model,
                          const std::vector<Mode>& data) {
  for (std::size_t mode = 0; mode < std::min(model.size(), data.size()); ++mode)
    if (!data[mode].any && model[mode].labels != data[mode].labels)
      fail(
          "{}: the positions of mode {} are named otherwise, or in another order, than those of the data; "
          "list the data in the order of the model's",
          path, data[mode].name);
}

std::optional<std::string> source_with_guarantee(const std::string& guarantee) {
  const auto stated = try_parse_json(guarantee);
  const bool holds = stated.is_object() && stated.value("status", "").starts_with("proven") &&
                     !stated.value("reproducible", true);
  if (!holds) return std::nullopt;
  return fmt::format("a model with {} (the costs add up if it was fitted to the same data)",
                     stated.value("sentence", "an unknown guarantee"));
}

}  // namespace tulle
