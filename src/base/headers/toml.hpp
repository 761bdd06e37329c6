// Tables of a TOML file, with errors that name the file and the line. Only toml.cpp includes the parser's own
// headers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

class TomlSection {
 public:
  static TomlSection load(const std::string& path);  // an Error if it cannot be read or is not TOML
  static TomlSection parse(std::string_view text, const std::string& name);

  // The value of a key, if present. T: std::string, bool, int, double.
  template <class T>
  std::optional<T> find(std::string_view key);
  template <class T>
  T get(std::string_view key, T otherwise) {
    return find<T>(key).value_or(std::move(otherwise));
  }
  template <class T>
  std::vector<T> list(std::string_view key);

  std::optional<TomlSection> table(std::string_view key);  // [key], or key = { .. }
  std::vector<TomlSection> tables(std::string_view key);   // [[key]]
  std::vector<std::string> keys() const;                   // in alphabetical order

  // Throws an Error at the first key that was never asked for: it is probably misspelt.
  void refuse_the_rest() const;

  const std::string& path() const { return path_; }
  std::string place() const;                      // "study.toml:7", the start of the table
  std::string place(std::string_view key) const;  // the place of a key's value

 private:
  TomlSection(std::shared_ptr<const void> file, const void* table, std::string path)
      : file_(std::move(file)), table_(table), path_(std::move(path)) {}
  template <class Parse>
  static TomlSection from(const std::string& name, const Parse& parse);
  const void* known(std::string_view key);

  std::shared_ptr<const void> file_;  // keeps the tables alive
  const void* table_;
  std::string path_;
  std::vector<std::string> known_;
};

}  // namespace tulle
