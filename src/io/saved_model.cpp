#include "binary/modes_json.hpp"
#include "saved_kinds.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/saved_model.hpp>

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

namespace tulle {
namespace {

constexpr std::array kModelFormats{kModelFormat, kCoupledFormat, kNetworkFormat};
constexpr const char* kWriters = "tulle complete, topics, count, couple or classify";

// The most frequent mistake is to give data, which are no archive, in place of a model.
void check_is_archive(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) return;  // the reader of archives reports the fault
  char start[2] = {};
  std::ifstream(path, std::ios::binary).read(start, sizeof start);
  if (start[0] != 'P' || start[1] != 'K')
    fail("{}: is not a tulle model; give a file that {} wrote", path, kWriters);
}

// A kind of model in words, and the verb that makes it.
struct Kind {
  std::string_view what, verb;
};

Kind kind_of(const SavedModel& model) {
  if (std::holds_alternative<CoupledFile>(model)) return {"a coupled model", "couple"};
  if (std::holds_alternative<NetworkFile>(model)) return {"a classifier", "classify"};
  const Model& held = std::get<ModelFile>(model).model;
  if (std::holds_alternative<Topics>(held)) return {"a model of topics", "topics"};
  if (std::holds_alternative<Counts>(held)) return {"counts", "count"};
  return {"a completed tensor", "complete"};
}

// Checks the fields of a guarantee that users of a model read.
void check_guarantee(const std::string& name, const Json& json) {
  const auto found = json.find("guarantee");
  if (found == json.end() || found->is_null()) return;
  if (!found->is_object()) fail("{}: its guarantee is no JSON object; write it again", name);
  for (const char* key : {"sentence", "status", "unit", "mode", "relation"})
    if (found->contains(key)) static_cast<void>(text_of(name, *found, key));
  if (const auto seeded = found->find("reproducible"); seeded != found->end() && !seeded->is_boolean())
    fail("{}: 'reproducible' of its guarantee is neither true nor false; write it again", name);
}

SavedModel read_model(const ZipReader& zip, const std::string& name, const Json& json) {
  const std::string format = text_of(name, json, "format");
  if (format == kCoupledFormat) return coupled_from(zip, name, json);
  if (format == kNetworkFormat) return network_from(zip, name, json);
  return model_from(zip, name, json);
}

}  // namespace

SavedModel load(const std::string& path) {
  check_is_archive(path);
  const ZipReader zip(path);
  if (!zip.has(kJsonMember))
    fail("{}: is not a tulle model (it has no {}); give a file that {} wrote", path, kJsonMember, kWriters);
  const std::string name = fmt::format("{}[{}]", path, kJsonMember);
  const Json json = parse_member(name, zip.read_all(kJsonMember, kMaxJson), kModelFormats);
  check_guarantee(name, json);
  try {
    return read_model(zip, name, json);
  } catch (const Json::exception& error) {
    fail("{}: {}; write it again", name, text_of(error));
  }
}

bool is_saved_model(const std::string& path) {
  if (!path.ends_with(".npz")) return false;
  const ZipReader zip(path);
  if (!zip.has(kJsonMember)) return false;
  const Json json = try_parse_json(zip.read_all(kJsonMember, kMaxJson));
  return json.is_object() && std::ranges::any_of(kModelFormats, [&](std::string_view format) {
           const auto stated = json.find("format");
           return stated != json.end() && *stated == format;
         });
}

void check_made_by(const std::string& path, const SavedModel& model,
                   const std::vector<std::string_view>& verbs) {
  const Kind kind = kind_of(model);
  if (std::ranges::find(verbs, kind.verb) != verbs.end()) return;
  const std::vector<std::string_view> first(verbs.begin(), verbs.end() - 1);
  fail("{}: holds {}; give a model that tulle {}{}{} made", path, kind.what, fmt::join(first, ", "),
       first.empty() ? "" : " or ", verbs.back());
}

ModelFile load_completed(const std::string& path) {
  SavedModel model = load(path);
  check_made_by(path, model, {"complete"});
  return std::get<ModelFile>(std::move(model));
}

}  // namespace tulle
