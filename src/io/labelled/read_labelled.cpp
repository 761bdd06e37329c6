#include "binary/npz.hpp"
#include "idx.hpp"
#include "label_reader.hpp"
#include "memory.hpp"
#include "source.hpp"
#include "text/chunks.hpp"
#include "text/csv_rows.hpp"
#include "text/dialect.hpp"
#include "text/number.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/printable.hpp>
#include <tulle/io/read_labelled.hpp>
#include <tulle/tensor/float32.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <unordered_map>

namespace tulle {
namespace {

std::string_view without_gz(std::string_view path) {
  if (ends_in_gz(path)) path.remove_suffix(3);
  return path;
}

std::vector<std::string> numbered_classes(int count) {
  std::vector<std::string> names;
  for (int label = 0; label < count; ++label) names.push_back(std::to_string(label));
  return names;
}

// Names the classes, and refuses labels outside the stated ones.
void name_classes(LabelledExamples& examples, const std::string& path, const LabelledFileOptions& options) {
  const auto largest = std::ranges::max_element(examples.labels);
  const bool none = largest == examples.labels.end();
  if (none && !options.may_be_empty) fail("{}: there are no examples", path);
  if (!options.known.empty()) {
    examples.classes = options.known;
    return;
  }
  const int count = options.classes.value_or(none ? 0 : *largest + 1);
  if (!none && *largest >= count)
    fail("{} row {}: label {} is outside 0..{}, the classes that are stated", path,
         largest - examples.labels.begin() + 1, *largest, count - 1);
  examples.classes = numbered_classes(count);
}

void set_image(LabelledExamples& examples, std::uint64_t height, std::uint64_t width) {
  examples.height = static_cast<int>(height);
  examples.width = static_cast<int>(width);
}

// Applies a stated image size, which overrides that of the file.
void apply_image(LabelledExamples& examples, const std::string& path, const LabelledFileOptions& options) {
  if (!options.image) return;
  const auto [height, width] = *options.image;
  if (height != 0 && examples.values.cols() != Eigen::Index{height} * width)
    fail("{}: an example has {} values, no image of {}x{}; give the height and width of its images, or none",
         path, examples.values.cols(), height, width);
  set_image(examples, static_cast<std::uint64_t>(height), static_cast<std::uint64_t>(width));
}

// The product of the sizes of all modes but the first. A file without examples may state any sizes.
template <class Shape>
Eigen::Index values_of_an_example(const Shape& shape, const std::string& path) {
  constexpr Eigen::Index kMost = 1 << 30;
  Eigen::Index values = 1;
  for (std::size_t mode = 1; mode < shape.size(); ++mode) {
    const auto size = static_cast<Eigen::Index>(shape[mode]);
    if (size < 1 || size > kMost / values) fail("{}: examples of no values, or more than {}", path, kMost);
    values *= size;
  }
  return values;
}

// ---- idx ----

void read_idx_labels(const std::string& labels_path, const std::string& path, const IdxBytes& images,
                     const LabelledFileOptions& options, LabelledExamples& examples) {
  const IdxBytes labels = read_idx(labels_path);
  if (labels.shape.size() != 1)
    fail("{}: holds no labels; give a file with one label per image", labels_path);
  if (labels.shape[0] != images.shape[0])
    fail("{}: {} labels, but {} has {} images; give files that belong together", labels_path, labels.shape[0],
         path, images.shape[0]);
  LabelReader reader(labels_path, options);
  for (std::size_t row = 0; row < labels.bytes.size(); ++row)
    examples.labels.push_back(reader.of_number(labels.bytes[row], row));
  examples.moved_labels = reader.moved();
}

LabelledExamples from_idx(const std::string& path, const LabelledFileOptions& options) {
  const IdxBytes images = read_idx(path);
  if (images.shape.size() < 2) fail("{}: holds labels, not images; give the images", path);
  LabelledExamples examples;
  const auto rows = static_cast<Eigen::Index>(images.shape[0]),
             columns = values_of_an_example(images.shape, path);
  examples.values =
      Eigen::Map<const Eigen::Matrix<unsigned char, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
          images.bytes.data(), rows, columns)
          .cast<float>();
  if (images.shape.size() == 3) set_image(examples, images.shape[1], images.shape[2]);
  if (!options.values_alone) {
    const std::string labels_path = options.labels.empty() ? labels_beside(path) : options.labels;
    read_idx_labels(labels_path, path, images, options, examples);
    name_classes(examples, labels_path, options);
  }
  return examples;
}

// ---- .npz, and arrays in memory ----

void check_modes(const std::string& name, std::size_t modes) {
  if (modes != 2 && modes != 3) fail("{}: has {} modes; examples are rows of values, or images", name, modes);
}

NpzArray first_of(const ZipReader& zip, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (has_array(zip, name)) {
      NpzArray array = open_array(zip, name);
      if (array.header.order == CellOrder::fortran && array.header.shape.size() > 1)
        fail("{}: is in Fortran order; write it in C order", array.stream->name());
      return array;
    }
  fail("{}: has no array '{}'; labelled examples are arrays 'x' and 'y'", zip.path(), names.front());
}

LabelledExamples from_arrays(const std::string& path, const std::vector<std::uint64_t>& shape,
                             const std::vector<double>& values, const std::vector<double>& labels,
                             const LabelledFileOptions& options) {
  LabelledExamples examples;
  const auto rows = static_cast<Eigen::Index>(shape[0]);
  examples.values.resize(rows, values_of_an_example(shape, path));
  std::ranges::transform(values, examples.values.data(), to_float32);
  if (shape.size() == 3) set_image(examples, shape[1], shape[2]);
  if (options.values_alone) return examples;
  if (labels.size() != shape[0])
    fail("{}: {} examples, but {} labels; give one for each", path, shape[0], labels.size());
  LabelReader reader(path, options);
  for (std::size_t row = 0; row < labels.size(); ++row)
    examples.labels.push_back(reader.of_number(labels[row], row));
  examples.moved_labels = reader.moved();
  name_classes(examples, path, options);
  return examples;
}

LabelledExamples from_npz(const std::string& path, const LabelledFileOptions& options) {
  const ZipReader zip(path);
  const NpzArray x = first_of(zip, {"x", "images", "values"});
  const auto& shape = x.header.shape;
  check_modes(x.stream->name(), shape.size());
  const std::vector<double> labels =
      options.values_alone ? std::vector<double>() : read_numbers(first_of(zip, {"y", "labels"}));
  return from_arrays(path, {shape.begin(), shape.end()}, read_numbers(x), labels, options);
}

LabelledExamples from_memory(const std::string& path, const LabelledFileOptions& options) {
  const FoundInMemory found = find_in_memory(path);
  const auto* examples = std::get_if<ExamplesInMemory>(&found.data);
  if (!examples) fail("{}: has no labels; give labelled examples", found.name);
  check_modes(found.name, examples->values.dimensions.size());
  std::vector<double> values;
  for_each_block(examples->values.values, [&](std::span<const double> block) {
    values.insert(values.end(), block.begin(), block.end());
  });
  return from_arrays(found.name, examples->values.dimensions, values, examples->labels, options);
}

// ---- CSV ----

// Numbers of any size, infinity and NaN included, since all are clamped to the range later. A text in place
// of a number is private, and messages do not repeat it.
double number_of(std::string_view text, const std::string& path, std::size_t row, std::size_t column,
                 bool may_be_header) {
  const Number<double> number = parse_field(text);
  if (number.fault == NumberFault::malformed)
    fail("{} row {}, column {}: is no number; write nan where a value is missing{}", path, row + 1,
         column + 1,
         may_be_header ? message("; if the first row may be a header, state whether it is[ (@header)]") : "");
  return number.value;
}

// The values of a categorical column.
struct CategoryPlaces {
  std::size_t size = 0;
  std::unordered_map<std::string, std::size_t> of;  // by label
};

class LabelledTable {
 public:
  LabelledTable(const std::string& path, const LabelledFileOptions& options, const Dialect& dialect)
      : path_(path), options_(options), labels_of_(path, options), numbers_(dialect.decimal_comma) {}

  void take(std::span<const Field> fields) {
    if (columns_ == 0 && take_header(fields)) return;
    if (fields.size() != columns_)
      fail("{} row {}: {} columns, but the first row has {}", path_, row_ + 1, fields.size(), columns_);
    for (std::size_t column = 0; column < columns_; ++column) {
      if (const CategoryPlaces* places = places_[column])
        add_category(fields[column].text, column, *places);
      else if (column != label_)
        values_.push_back(to_float32(number_of(numbers_.of(fields[column].text), path_, row_, column,
                                               row_ == 0 && !options_.header.value_or(false))));
      else if (!options_.values_alone)
        labels_.push_back(labels_of_.of_text(fields[column].text, row_));
    }
    ++row_;
  }

  LabelledExamples examples() && {
    if (columns_ == 0) fail("{}: is empty; how many values an example has is not known", path_);
    LabelledExamples result;
    result.labels = std::move(labels_);
    result.moved_labels = labels_of_.moved();
    result.categorical = row_ * options_.categories.size();
    result.unlisted = unlisted_;
    result.unlisted_examples = std::move(unlisted_examples_);
    result.columns = std::move(names_);
    result.values = Eigen::Map<FloatMatrix>(values_.data(), static_cast<Eigen::Index>(row_),
                                            static_cast<Eigen::Index>(result.columns.size()));
    if (!options_.values_alone) name_classes(result, path_, options_);
    return result;
  }

 private:
  // Finds the column of the label. Returns true if the first row is a header.
  bool take_header(std::span<const Field> fields) {
    columns_ = fields.size();
    // A label may be a word, so the field of a value tells whether the row is a header.
    const std::size_t a_value = options_.label_column == "1" && columns_ > 1 ? 1 : 0;
    const bool header = options_.header.value_or(is_column_name(options_.label_column) ||
                                                 !parse_number<double>(fields[a_value].text));
    const bool unlabelled = options_.values == values_of(columns_) && options_.label_column.empty();
    label_ = unlabelled ? no_label() : label_column(fields, header);
    find_categories(fields, header);
    for (std::size_t column = 0; column < columns_; ++column) name_values(fields, column, header);
    return header;
  }

  // How many values as many columns make.
  std::size_t values_of(std::size_t columns) const {
    for (const CategoricalColumn& category : options_.categories) columns += category.labels.size() - 1;
    return columns;
  }

  void find_categories(std::span<const Field> fields, bool header) {
    places_.assign(columns_, nullptr);
    for (const CategoricalColumn& category : options_.categories) {
      const std::size_t column = column_called(category.column, fields, header);
      if (column == label_)
        fail("{}: column '{}' holds the labels of the examples; it is no value", path_, category.column);
      if (places_[column]) fail("{}: column '{}' is named twice; name it once", path_, category.column);
      CategoryPlaces& places = categories_.emplace_back();
      places.size = category.labels.size();
      for (std::size_t i = 0; i < category.labels.size(); ++i) places.of.emplace(category.labels[i], i);
      places_[column] = &places;
    }
  }

  void name_values(std::span<const Field> fields, std::size_t column, bool header) {
    if (column == label_) return;
    std::string name = header ? std::string(fields[column].text) : std::to_string(column + 1);
    if (!places_[column]) {
      names_.push_back({std::move(name)});
      return;
    }
    const std::size_t first = names_.size();
    names_.resize(first + places_[column]->size);
    for (const auto& [label, place] : places_[column]->of)
      names_[first + place] = {fmt::format("{}={}", name, label), true};
  }

  std::size_t column_called(const std::string& wanted, std::span<const Field> fields, bool header) const {
    const auto found = std::ranges::find(fields, wanted, &Field::text);
    if (header && found != fields.end()) return static_cast<std::size_t>(found - fields.begin());
    const auto number = parse_number<std::size_t>(wanted);
    if (!number || *number < 1 || *number > columns_)
      fail("{}: no column is named '{}'; give a name from its header, or a number from 1", path_, wanted);
    return *number - 1;
  }

  // A label that is in no list is no label of all: to refuse it would tell of the example.
  void add_category(std::string_view label, std::size_t column, const CategoryPlaces& places) {
    const std::size_t first = values_.size();
    values_.resize(first + places.size);
    if (const auto found = places.of.find(std::string(label)); found != places.of.end()) {
      values_[first + found->second] = 1;
    } else if (++unlisted_ <= kExamples) {
      unlisted_examples_.push_back(
          fmt::format("'{}' in row {}, column {}", printable(label, kShown), row_ + 1, column + 1));
    }
  }

  std::size_t no_label() const {
    if (!options_.values_alone)
      fail("{}: has {} columns, as many as an example has values; give a column of labels too", path_,
           columns_);
    return columns_;
  }

  std::size_t label_column(std::span<const Field> fields, bool header) const {
    const std::string& wanted = options_.label_column;
    if (columns_ < 2)
      fail("{}: has one column; give {}", path_,
           options_.values_alone ? "all values of an example" : "values and a label");
    if (wanted.empty()) return columns_ - 1;
    if (const auto number = parse_number<std::size_t>(wanted)) {
      if (*number < 1 || *number > columns_)
        fail("{}: has {} columns; the label cannot be in column {}", path_, columns_, *number);
      return *number - 1;
    }
    const auto found = std::ranges::find(fields, wanted, &Field::text);
    if (!header || found == fields.end())
      fail("{}: no column is named '{}'; give a name from its header, or a number from 1", path_, wanted);
    if (std::ranges::count(fields, wanted, &Field::text) > 1)
      fail("{}: several columns are named '{}'; give the label's number, from 1", path_, wanted);
    return static_cast<std::size_t>(found - fields.begin());
  }

  static constexpr std::size_t kExamples = 2, kShown = 40;

  const std::string& path_;
  const LabelledFileOptions& options_;
  LabelReader labels_of_;
  DecimalText numbers_;
  std::deque<CategoryPlaces> categories_;
  std::vector<const CategoryPlaces*> places_;  // by column; none: a number, or the label
  std::vector<ExampleValue> names_;
  std::size_t unlisted_ = 0;
  std::vector<std::string> unlisted_examples_;
  std::size_t columns_ = 0, label_ = 0, row_ = 0;  // label_: its column; columns_: there is none
  std::vector<float> values_;
  std::vector<int> labels_;
};

LabelledExamples from_csv(const std::string& path, char separator, const LabelledFileOptions& options) {
  Source source(path);
  LineChunks chunks(source);
  const auto first = chunks.peek();
  const Dialect dialect = dialect_of(first.substr(0, first.find('\n')), separator, options.separator,
                                     options.decimal, options.header.value_or(false) || !options.clamped);
  LabelledTable table(source.name(), options, dialect);
  RowSplitter splitter(dialect.separator);
  for (TextBlock block; chunks.next(block);) {
    const std::string_view text = block.text();
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
      at = splitter.split(at, end);
      if (!splitter.fault().empty()) fail("{}: {}", source.name(), splitter.fault());
      if (!splitter.blank()) table.take(splitter.fields());
    }
  }
  return std::move(table).examples();
}

LabelledExamples read_file(const std::string& path, const LabelledFileOptions& options) {
  namespace fs = std::filesystem;
  if (!options.categories.empty() && (is_in_memory(path) || !is_labelled_table(path)))
    fail("{}: categorical columns are those of a table (.csv, .tsv); its values are numbers", path);
  if (is_in_memory(path)) return from_memory(path, options);
  if (fs::is_directory(path)) {
    if (const std::string images = images_in(path); !images.empty()) return from_idx(images, options);
    fail("{}: holds no train-images-idx3-ubyte; give the file of the images", path);
  }
  const std::string_view name = without_gz(path);
  if (path == kStandard) return from_csv(path, ',', options);
  if (is_idx_name(path)) return from_idx(path, options);
  if (name.ends_with(".npz")) return from_npz(path, options);
  if (name.ends_with(".csv")) return from_csv(path, ',', options);
  if (name.ends_with(".tsv")) return from_csv(path, '\t', options);
  fail("{}: is of no known format; labelled examples are idx files (..-ubyte), .npz, .csv or .tsv", path);
}

// True if no public fact follows from the examples themselves: the set of labels, the place of a label that
// is not a class, or that the first line is an example.
bool states_facts(const std::string& path, const LabelledFileOptions& options) {
  const bool states_classes = options.classes || !options.known.empty();
  const bool states_header =
      options.header || is_column_name(options.label_column) || !is_labelled_table(path);
  return states_classes && states_header && options.clamped;
}

}  // namespace

bool is_column_name(const std::string& column) {
  return !column.empty() && !parse_number<std::size_t>(column);
}

bool is_labelled_table(const std::string& path) {
  const std::string_view name = without_gz(path);
  return path == kStandard || name.ends_with(".csv") || name.ends_with(".tsv");
}

bool holds_bytes(const std::string& path) {
  return is_idx_name(path) || std::filesystem::is_directory(path);
}

LabelledExamples read_labelled(const std::string& path, const LabelledFileOptions& options) {
  LabelledExamples examples = read_file(path, options);
  apply_image(examples, path, options);
  if (states_facts(path, options)) examples.facts = FactsFrom::owner;
  return examples;
}

}  // namespace tulle
