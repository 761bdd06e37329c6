#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/method/warm_start.hpp>

namespace tulle {

WarmStart WarmStart::stated_public(std::shared_ptr<const Model> model) {
  WarmStart start(std::move(model));
  start.source_ = "a model that is public (the owner's word)";
  return start;
}

WarmStart WarmStart::with_guarantee(std::shared_ptr<const Model> model, const std::string& guarantee,
                                    std::string name) {
  WarmStart start(std::move(model));
  start.source_ = source_with_guarantee(guarantee).value_or("");
  start.name_ = std::move(name);
  return start;
}

const std::string& WarmStart::source() const {
  if (model_ && source_.empty())
    fail_usage(
        "{}: the model has no guarantee that holds, so what it knows of private data would go into the new "
        "one; state that it is public if it owes nothing to them",
        name_);
  return source_;
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
