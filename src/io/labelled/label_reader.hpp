// Converts the labels of files to numbers of classes.
#pragma once

#include <tulle/io/read_labelled.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tulle {

// If the classes have the names of a model, a label is one of the names, or a number equal to one of them.
// Otherwise it is a whole number from 0. Rows count from 0 here, and from 1 in errors.
class LabelReader {
 public:
  LabelReader(std::string path, const LabelledFileOptions& options);

  int of_number(double label, std::size_t row);
  int of_text(std::string_view label, std::size_t row);
  std::size_t moved() const { return moved_; }  // labels outside the classes, replaced by one of them

 private:
  int nearest(double label);
  int of_name(std::string_view label);
  int known(std::optional<int> found, std::string_view label, std::size_t row) const;

  std::string path_;
  const LabelledFileOptions& options_;
  int classes_ = 0;  // 0: the largest label + 1
  std::map<std::string, int, std::less<>> names_;
  std::map<double, int> numbers_;  // of the names that are numbers
  std::size_t moved_ = 0;
};

}  // namespace tulle
