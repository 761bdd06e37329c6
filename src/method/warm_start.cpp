#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/method/warm_start.hpp>

namespace tulle {
namespace {

// A proven guarantee names its unit; that of a seeded run does not hold against anyone who knows the seed.
bool holds(const Json& stated) {
  return stated.is_object() && stated.value("status", "").starts_with("proven") &&
         !stated.value("reproducible", true) && stated.contains("sentence");
}

// A guarantee for other neighbours is no bound for this unit: for a user, it would count once for each of her
// entries.
bool protects(const Json& stated, const Neighbours& neighbours, const std::string& user_mode) {
  return stated.value("unit", "") == name(neighbours.unit) &&
         stated.value("relation", "") == name(neighbours.relation) &&
         (neighbours.unit != Unit::user || stated.value("mode", "") == user_mode);
}

}  // namespace

WarmStart WarmStart::stated_public(std::shared_ptr<const Model> model) {
  WarmStart start(std::move(model));
  start.is_public_ = true;
  return start;
}

WarmStart WarmStart::with_guarantee(std::shared_ptr<const Model> model, const std::string& guarantee,
                                    std::string name) {
  WarmStart start(std::move(model));
  start.guarantee_ = guarantee;
  start.name_ = std::move(name);
  return start;
}

std::string WarmStart::source(const Neighbours& neighbours, const std::string& user_mode) const {
  if (!model_) return "";
  if (is_public_) return "a model that is public (the owner's word)";
  const auto stated = try_parse_json(guarantee_);
  if (!holds(stated))
    fail_usage(
        "{}: the model has no guarantee that holds, so what it knows of private data would go into the new "
        "one; state that it is public if it was fitted to public data[ (@from-is-public)]",
        name_);
  if (!protects(stated, neighbours, user_mode))
    fail_usage(
        "{}: its guarantee ({}) does not bound what it knows of {} under {}; start from a model for the same "
        "unit and relation, or state that it is public if it was fitted to public data[ (@from-is-public)]",
        name_, stated["sentence"].get<std::string>(),
        neighbours.unit == Unit::user ? fmt::format("one user of mode {}", user_mode) : "one entry",
        name(neighbours.relation));
  return fmt::format("a model with {} (the costs add up if it was fitted to the same data)",
                     stated["sentence"].get<std::string>());
}

}  // namespace tulle
