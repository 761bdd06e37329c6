#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/base/toml.hpp>

#define TOML_EXCEPTIONS 1
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

namespace tulle {
namespace {

const toml::table& as_table(const void* table) {
  return *static_cast<const toml::table*>(table);
}

[[noreturn]] void wrong_kind(const std::string& path, const toml::node& node, std::string_view key) {
  fail("{}:{}: '{}' has a value of the wrong kind", path, node.source().begin.line, key);
}

}  // namespace

TomlSection TomlSection::load(const std::string& path) {
  // The parser reports a missing file at line 0, and reads a folder as an empty file.
  if (!std::filesystem::exists(path)) fail("{}: No such file or directory", path);
  if (std::filesystem::is_directory(path)) fail("{}: is a folder, not a file", path);
  return from(path, [&] { return toml::parse_file(path); });
}

TomlSection TomlSection::parse(std::string_view text, const std::string& name) {
  return from(name, [&] { return toml::parse(text); });
}

template <class Parse>
TomlSection TomlSection::from(const std::string& name, const Parse& parse) {
  try {
    const auto file = std::make_shared<const toml::table>(parse());
    return TomlSection(file, file.get(), name);
  } catch (const toml::parse_error& error) {
    fail("{}:{}: {}", name, error.source().begin.line, error.description());
  }
}

const void* TomlSection::known(std::string_view key) {
  known_.emplace_back(key);
  return as_table(table_).get(key);
}

template <class T>
std::optional<T> TomlSection::find(std::string_view key) {
  const auto* node = static_cast<const toml::node*>(known(key));
  if (!node) return std::nullopt;
  const auto value = node->value<T>();
  if (!value) wrong_kind(path_, *node, key);
  return *value;
}

template <class T>
std::vector<T> TomlSection::list(std::string_view key) {
  const auto* node = static_cast<const toml::node*>(known(key));
  if (!node) return {};
  const toml::array* array = node->as_array();
  if (!array) wrong_kind(path_, *node, key);
  std::vector<T> items;
  for (const toml::node& item : *array) {
    const auto value = item.value<T>();
    if (!value) wrong_kind(path_, item, key);
    items.push_back(*value);
  }
  return items;
}

std::optional<TomlSection> TomlSection::table(std::string_view key) {
  const auto* node = static_cast<const toml::node*>(known(key));
  if (!node) return std::nullopt;
  if (!node->is_table()) wrong_kind(path_, *node, key);
  return TomlSection(file_, node->as_table(), path_);
}

std::vector<TomlSection> TomlSection::tables(std::string_view key) {
  const auto* node = static_cast<const toml::node*>(known(key));
  if (!node) return {};
  if (!node->is_array_of_tables()) wrong_kind(path_, *node, key);
  std::vector<TomlSection> all;
  for (const toml::node& item : *node->as_array()) all.push_back(TomlSection(file_, item.as_table(), path_));
  return all;
}

std::vector<std::string> TomlSection::keys() const {
  std::vector<std::string> names;
  for (const auto& [key, node] : as_table(table_)) names.emplace_back(key.str());
  return names;
}

void TomlSection::refuse_the_rest() const {
  for (const auto& [key, node] : as_table(table_))
    if (std::ranges::find(known_, key.str()) == known_.end())
      fail("{}:{}: '{}' means nothing here{}; there is: {}", path_, node.source().begin.line, key.str(),
           suggestion(key.str(), known_), fmt::join(known_, ", "));
}

std::string TomlSection::place() const {
  return fmt::format("{}:{}", path_, as_table(table_).source().begin.line);
}

std::string TomlSection::place(std::string_view key) const {
  const toml::node* node = as_table(table_).get(key);
  return node ? fmt::format("{}:{}", path_, node->source().begin.line) : place();
}

template std::optional<std::string> TomlSection::find(std::string_view);
template std::optional<bool> TomlSection::find(std::string_view);
template std::optional<int> TomlSection::find(std::string_view);
template std::optional<double> TomlSection::find(std::string_view);
template std::vector<std::string> TomlSection::list(std::string_view);
template std::vector<int> TomlSection::list(std::string_view);
template std::vector<double> TomlSection::list(std::string_view);

}  // namespace tulle
