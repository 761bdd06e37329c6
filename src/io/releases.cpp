#include "releases.hpp"

#include "binary/modes_json.hpp"
#include "binary/npz.hpp"
#include "binary/positions.hpp"
#include "binary/promise.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/base/names.hpp>
#include <tulle/privacy/account/event_text.hpp>

#include <array>
#include <cmath>
#include <map>

namespace tulle {
namespace {

constexpr const char* kMember = "releases.json";
constexpr std::string_view kReleasesFormat = "tulle releases";
constexpr int kReleasesVersion = 2;
constexpr const char* kPositions = "positions";

constexpr Names<ModeOrder::Kind, 3> kOrders = {{{ModeOrder::Kind::none, "none"},
                                                {ModeOrder::Kind::possible, "possible"},
                                                {ModeOrder::Kind::stated, "stated"}}};

std::string array_of(std::size_t release, const char* what = "") {
  return fmt::format("release{}{}", release + 1, what);
}

Json describe_release(const Release& release) {
  Json json = {{"id", release.id},
               {"what", release.what},
               {"noise", release.noise},
               {"events", parse_json(to_json(release.events))},
               {"stddev", release.deviation},
               {"typical_stddev", release.typical},
               {"units", !release.units.empty()}};
  if (!release.chosen.empty()) json["chosen"] = release.chosen;
  if (!release.clipped.empty()) json["window"] = release.window;
  if (!release.places.empty()) json["places"] = true;
  return json;
}

Json describe_orders(const std::vector<ModeOrder>& orders) {
  Json all = Json::array();
  for (const ModeOrder& order : orders) {
    Json& one = all.emplace_back(Json{{"order", name_in(kOrders, order.kind)}});
    if (!order.places.empty()) one["places"] = order.places;
    if (order.period > 0) one["period"] = order.period;
  }
  return all;
}

std::vector<ModeOrder> read_orders(const Json& json) {
  std::vector<ModeOrder> orders;
  for (const Json& one : json) {
    ModeOrder& order = orders.emplace_back();
    order.kind = find_named(kOrders, one.at("order").get<std::string>(), "order");
    if (one.contains("places")) order.places = one.at("places").get<std::vector<double>>();
    if (one.contains("period")) order.period = one.at("period").get<std::uint64_t>();
  }
  return orders;
}

Json describe_measurement(const Measurement& measured) {
  Json releases = Json::array();
  for (const Release& release : measured.releases) releases.push_back(describe_release(release));
  Json documents;
  if (measured.documents)
    documents = {{"count", measured.documents->count}, {"mixture", measured.documents->mixture}};
  Json json = {{"format", kReleasesFormat},
               {"version", kReleasesVersion},
               {"method", measured.method},
               {"unit", name(measured.unit)},
               {"relation", name(measured.relation)},
               {"user_mode", measured.user_mode + 1},
               {"range", {measured.low, measured.high}},
               {"documents", std::move(documents)},
               {"seed", measured.seed},
               {"entries", measured.positions ? measured.positions->size() : 0},
               {"releases", std::move(releases)}};
  if (!measured.orders.empty()) json["orders"] = describe_orders(measured.orders);
  return json;
}

// Reads whole numbers below a limit.
template <class Number>
std::vector<Number> read_whole(const ZipReader& zip, const std::string& array, std::uint64_t limit) {
  const NpzArray opened = open_array(zip, array);
  std::vector<Number> whole;
  for (const double number : read_numbers(opened))
    whole.push_back(static_cast<Number>(
        to_position(opened.stream->name(), number, static_cast<Index>(limit), whole.size())));
  return whole;
}

// Ascending whole numbers that a double has exactly.
std::vector<std::uint64_t> read_places(const ZipReader& zip, const std::string& array) {
  std::vector<std::uint64_t> places;
  for (const double number : read_numbers(open_array(zip, array))) {
    const bool whole = number >= 0 && number < 0x1p53 && number == std::floor(number);
    if (!whole || (!places.empty() && static_cast<std::uint64_t>(number) <= places.back()))
      fail("'{}' are no ascending places; write it again", array);
    places.push_back(static_cast<std::uint64_t>(number));
  }
  return places;
}

// Json and Event throw if something is missing or invalid.
Release read_release(const ZipReader& zip, const Json& json, std::size_t number, std::uint64_t entries) {
  Release release{.id = json.at("id"),
                  .what = json.at("what"),
                  .noise = json.at("noise"),
                  .events = events_from_json(json_text(json.at("events"))),
                  .values = read_numbers(open_array(zip, array_of(number))),
                  .deviation = json.at("stddev"),
                  .typical = json.at("typical_stddev")};
  if (json.at("units").get<bool>())
    release.units = read_whole<std::uint64_t>(zip, array_of(number, "_units"), entries);
  if (json.contains("chosen")) release.chosen = json.at("chosen").get<std::vector<double>>();
  if (json.contains("places")) release.places = read_places(zip, array_of(number, "_places"));
  if (json.contains("window")) {
    release.window = json.at("window");
    release.clipped = read_whole<std::uint8_t>(zip, array_of(number, "_clipped"), 2);
  }
  return release;
}

Measurement read_measurement(const ZipReader& zip, const Json& json, const Shape& shape) {
  const auto entries = json.at("entries").get<std::uint64_t>();
  Measurement measured{.method = json.at("method"),
                       .unit = unit_of(json.at("unit").get<std::string>()),
                       .relation = relation_of(json.at("relation").get<std::string>()),
                       .user_mode = json.at("user_mode").get<int>() - 1,
                       .shape = shape,
                       .low = json.at("range").at(0),
                       .high = json.at("range").at(1),
                       .seed = json.at("seed").get<std::uint64_t>()};
  if (json.contains("orders")) measured.orders = read_orders(json.at("orders"));
  if (const Json& documents = json.at("documents"); !documents.is_null()) {
    measured.documents = {documents.at("count").get<std::uint64_t>(), documents.at("mixture").get<bool>()};
    measured.shape = Shape{shape[0], 1};  // the words
  }
  if (entries > kMaxDimension) fail("{} entries are too many", entries);
  if (entries > 0) measured.positions = Cells(shape, read_cells(zip, kPositions, shape, entries));
  for (const Json& release : json.at("releases"))
    measured.releases.push_back(read_release(zip, release, measured.releases.size(), entries));
  check(measured);
  return measured;
}

// A kind of release on the record of a guarantee.
std::string kind_of_release(const std::string& what, const std::string& noise, const Event& event) {
  return json_text(Json::array({what, noise, release_to_json(event)}));
}

// The number of values of each kind that were released.
std::map<std::string, double> values_on(const Json& record) {
  std::map<std::string, double> values;
  for (const Json& line : record)
    for (const Event& event : events_from_json(json_text(Json::array({line.at("accounted")}))))
      values[kind_of_release(line.at("what"), line.at("noise"), event)] +=
          line.at("coordinates").get<double>() * static_cast<double>(event.count());
  return values;
}

}  // namespace

void check_recorded(const Measurement& measured, const Json& record) {
  std::map<std::string, double> left = values_on(record);
  for (const Release& release : measured.releases)
    for (const Event& event : release.events) {
      double& values = left[kind_of_release(release.what, release.noise, event)];
      values -= static_cast<double>(release.values.size()) * static_cast<double>(event.count());
      if (values < 0)
        fail("release '{}' is not on the record of the guarantee, or has more values than recorded",
             release.id);
    }
}

void write_releases(ZipWriter& zip, const Measurement& measured) {
  check(measured);
  if (measured.positions) write_cells(zip, kPositions, *measured.positions);
  for (std::size_t i = 0; i < measured.releases.size(); ++i) {
    const Release& release = measured.releases[i];
    const std::uint64_t size[] = {release.values.size()};
    zip.add_array<double>(array_of(i), "f8", size, release.values);
    const std::vector<std::uint32_t> units(release.units.begin(), release.units.end());
    if (!units.empty()) zip.add_array<std::uint32_t>(array_of(i, "_units"), "u4", size, units);
    const std::vector<double> places(release.places.begin(), release.places.end());
    if (!places.empty()) zip.add_array<double>(array_of(i, "_places"), "f8", size, places);
    if (!release.clipped.empty())
      zip.add_array<std::uint8_t>(array_of(i, "_clipped"), "u1", size, release.clipped);
  }
  const std::string text = json_text(describe_measurement(measured)) + '\n';
  zip.add(kMember, [&](const ZipWriter::Take& take) { take(text); });
}

std::optional<Measurement> read_releases(const ZipReader& zip, const Shape& shape) {
  if (!zip.has(kMember)) return std::nullopt;
  const std::string name = fmt::format("{}[{}]", zip.path(), kMember);
  const Json json =
      parse_member(name, zip.read_all(kMember, kMaxJson), std::array{kReleasesFormat}, kReleasesVersion);
  try {
    return read_measurement(zip, json, shape);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail("{}: {}; write it again", name, text_of(error));
  }
}

}  // namespace tulle
