#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/privacy/account/event_text.hpp>

namespace tulle {
namespace {

Json mechanism_json(const GaussianRelease& m) {
  return {{"mechanism", "gaussian"}, {"noise_multiplier", m.noise_multiplier}};
}

Json mechanism_json(const LaplaceRelease& m) {
  return {{"mechanism", "laplace"}, {"noise_multiplier", m.noise_multiplier}};
}

Json mechanism_json(const DiscreteGaussianRelease& m) {
  return {{"mechanism", "discrete-gaussian"},
          {"sigma", m.sigma},
          {"sensitivity", m.sensitivity},
          {"coordinates", m.coordinates}};
}

Json mechanism_json(const DiscreteLaplaceRelease& m) {
  return {{"mechanism", "discrete-laplace"}, {"scale", m.scale}, {"sensitivity", m.sensitivity}};
}

Json mechanism_json(const Approximate& m) {
  return {{"mechanism", "approximate"}, {"epsilon", m.epsilon}, {"delta", m.delta}};
}

void add_sampling(const Unsampled&, Json&) {}

void add_sampling(const PoissonSampling& sampling, Json& json) {
  json["poisson_rate"] = sampling.rate();
}

void add_sampling(const FixedBatch& sampling, Json& json) {
  json["fixed_batch"] = sampling.batch();
  json["population"] = sampling.population();
}

Json release_json(const Event& event) {
  Json json = std::visit([](const auto& m) { return mechanism_json(m); }, event.mechanism());
  std::visit([&](const auto& s) { add_sampling(s, json); }, event.sampling());
  return json;
}

Event mechanism_of(const Json& json) {
  const std::string mechanism = json.at("mechanism");
  if (mechanism == "gaussian") return Event::gaussian(json.at("noise_multiplier"));
  if (mechanism == "laplace") return Event::laplace(json.at("noise_multiplier"));
  if (mechanism == "discrete-gaussian")
    return Event::discrete_gaussian(json.at("sigma"), json.at("sensitivity"), json.at("coordinates"));
  if (mechanism == "discrete-laplace")
    return Event::discrete_laplace(json.at("scale"), json.at("sensitivity"));
  if (mechanism == "approximate") return Event::approximate(json.at("epsilon"), json.at("delta"));
  fail("there is no mechanism '{}'", mechanism);
}

Event event_of(const Json& json) {
  Event event = mechanism_of(json);
  if (json.contains("poisson_rate")) event = event.sampled(PoissonSampling::what_if(json.at("poisson_rate")));
  if (json.contains("fixed_batch"))
    event = event.sampled(FixedBatch(json.at("fixed_batch"), json.at("population")));
  return event.times(json.at("count"));
}

}  // namespace

std::string to_json(std::span<const Event> events) {
  Json list = Json::array();
  for (const Event& event : events) {
    Json json = release_json(event);
    json["count"] = event.count();
    list.push_back(std::move(json));
  }
  return json_text(list);
}

std::string release_to_json(const Event& event) {
  return json_text(release_json(event));
}

std::vector<Event> events_from_json(std::string_view text) {
  try {
    std::vector<Event> events;
    for (const Json& json : parse_json(text)) events.push_back(event_of(json));
    return events;
  } catch (const Json::exception& error) {
    fail("recorded releases cannot be read: {}", text_of(error));
  }
}

}  // namespace tulle
