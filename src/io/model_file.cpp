#include "binary/modes_json.hpp"
#include "binary/npz.hpp"
#include "binary/zip_writer.hpp"
#include "releases.hpp"
#include "saved_kinds.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/io/model_file.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

constexpr const char* kGlobalBias = "bias_global";
constexpr const char* kVariance = "variance";
constexpr const char* kStandsOut = "stands_out";        // 1 or 0 per topic
constexpr const char* kInterestMode = "interest_mode";  // arrays of users' interest
constexpr const char* kPopularity = "popularity";
constexpr const char* kInterestPositions = "interest_positions";
constexpr const char* kInterestDirections = "interest_directions";
constexpr const char* kInterestOwn = "interest_own";

std::string factor_name(std::size_t mode) {
  return fmt::format("factor{}", mode + 1);
}
// Arrays of counts in a sparse form.
constexpr const char* kExtent = "extent";
constexpr const char* kForest = "forest";  // modes and their parents, from 1
constexpr const char* kEvents = "events";
constexpr const char* kPlaces = "places";
constexpr const char* kKept = "kept";
constexpr const char* kVariances = "_variances";
std::string shares_name(int mode) {
  return fmt::format("shares{}", mode + 1);
}

std::string variances_name(std::size_t set) {
  return fmt::format("variances{}", set);
}

std::string bias_name(std::size_t mode) {
  return fmt::format("bias{}", mode + 1);
}

// ---- Saving ----

class ArrayWriter {
 public:
  explicit ArrayWriter(ZipWriter& zip) : zip_(zip) {}

  void add(const std::string& name, const Vector& vector) {
    add(name, {static_cast<std::uint64_t>(vector.size())},
        {vector.data(), static_cast<std::size_t>(vector.size())});
  }
  void add(const std::string& name, const Matrix& matrix) {
    add(name, {static_cast<std::uint64_t>(matrix.rows()), static_cast<std::uint64_t>(matrix.cols())},
        {matrix.data(), static_cast<std::size_t>(matrix.size())});
  }
  void add(const std::string& name, const DenseTensor& tensor) {
    const auto dimensions = tensor.shape().dimensions();
    add(name, {dimensions.begin(), dimensions.end()}, tensor.values());
  }
  void add(const Biases& biases) {
    if (biases.empty()) return;
    add(kGlobalBias, {}, {&biases.global, 1});
    for (std::size_t mode = 0; mode < biases.offsets.size(); ++mode)
      add(bias_name(mode), biases.offsets[mode]);
  }

  void add(const Cp& model) {
    add("weights", model.weights);
    for (std::size_t mode = 0; mode < model.factors.size(); ++mode)
      add(factor_name(mode), model.factors[mode]);
    add(model.biases);
  }
  void add(const Tucker& model) {
    add("core", model.core);
    for (std::size_t mode = 0; mode < model.factors.size(); ++mode)
      add(factor_name(mode), model.factors[mode]);
    add(model.biases);
  }
  void add(const Tubal& model) {
    add("u", model.u);
    add("s", model.s);
    add("v", model.v);
    add(model.biases);
  }
  void add(const Topics& model) {
    add("topics", model.topics);
    add("weights", model.weights);
    if (model.mixture()) add(kVariance, {}, {&model.variance, 1});
    if (model.stands_out.empty()) return;
    const std::vector<double> marks(model.stands_out.begin(), model.stands_out.end());
    add(kStandsOut, {marks.size()}, marks);
  }
  void add(const Interest& interest) {
    const auto mode = static_cast<double>(interest.mode + 1);
    const std::vector<double> often(interest.often.begin(), interest.often.end());
    add(kInterestMode, {}, {&mode, 1});
    add(kPopularity, interest.popularity);
    if (often.empty()) return;
    add(kInterestPositions, {often.size()}, often);
    add(kInterestDirections, interest.directions);
    add(kInterestOwn, interest.own);
  }
  void add(const Counts& model) {
    if (model.sparse) return add(*model.sparse);
    add("counts", model.cells);
    for (std::size_t set = 0; set < model.variances.size(); ++set)
      add(variances_name(set), {model.variances[set].size()}, model.variances[set]);
  }
  void add(const SparseCounts& model) {
    std::vector<double> extent, forest;
    for (const Index size : model.extent.dimensions()) extent.push_back(size);
    for (const ModeShares& node : model.modes)
      forest.insert(forest.end(), {static_cast<double>(node.mode + 1), static_cast<double>(node.parent + 1)});
    const double events[] = {model.events.mean, model.events.stddev};
    add(kExtent, {extent.size()}, extent);
    add(kForest, {forest.size()}, forest);
    add(kEvents, {2}, events);
    for (const ModeShares& node : model.modes) {
      add(shares_name(node.mode), {node.shares.size()}, node.shares);
      add(shares_name(node.mode) + kVariances, {node.variances.size()}, node.variances);
    }
    if (model.places.empty()) return;
    add(kPlaces, {model.places.size()}, std::vector<double>(model.places.begin(), model.places.end()));
    add(kKept, {model.counts.size()}, model.counts);
    add(std::string(kKept) + kVariances, {model.variances.size()}, model.variances);
  }

 private:
  void add(const std::string& name, std::vector<std::uint64_t> shape, std::span<const double> values) {
    zip_.add_array<double>(name, "f8", shape, values);
  }

  ZipWriter& zip_;
};

Json describe(const std::string& path, const ModelFile& file) {
  const Shape model_shape = shape(file.model);
  Json guarantee = nullptr;
  if (!file.guarantee.empty()) {
    guarantee = try_parse_json(file.guarantee);
    if (guarantee.is_discarded()) fail("{}: the guarantee is no JSON", path);
  }
  return {{"format", kModelFormat},
          {"version", kJsonVersion},
          {"kind", name(kind(file.model))},
          {"method", file.method},
          {"shape", std::vector<Index>(model_shape.dimensions().begin(), model_shape.dimensions().end())},
          {"modes", modes_to_json(file.modes)},
          {"range", file.range ? Json{file.range->low, file.range->high} : Json()},
          {"guarantee", std::move(guarantee)}};
}

// ---- Loading ----

class ArrayReader {
 public:
  explicit ArrayReader(const ZipReader& zip) : zip_(zip) {}

  double number(const std::string& name) const { return finite_numbers(open(name, 0)).front(); }

  Vector vector(const std::string& name) const {
    const NpzArray array = open(name, 1);
    const auto numbers = finite_numbers(array);
    return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
  }

  Matrix matrix(const std::string& name) const {
    const NpzArray array = open(name, 2);
    const auto numbers = finite_numbers(array);
    const auto rows = static_cast<Eigen::Index>(array.header.shape[0]);
    const auto columns = static_cast<Eigen::Index>(array.header.shape[1]);
    if (array.header.order == CellOrder::fortran)
      return Eigen::Map<const Eigen::MatrixXd>(numbers.data(), rows, columns);
    return Eigen::Map<const Matrix>(numbers.data(), rows, columns);
  }

  DenseTensor tensor(const std::string& name) const {
    const NpzArray array = open_array(zip_, name);
    return std::get<DenseTensor>(read_npy_tensor(*array.stream, array.header).tensor);
  }

  std::optional<Interest> interest() const {
    if (!has_array(zip_, kInterestMode)) return std::nullopt;
    Interest interest{static_cast<int>(std::clamp(number(kInterestMode), 0.0, 1e6)) - 1,
                      vector(kPopularity),
                      {},
                      Matrix(0, 0),
                      Vector(0)};
    if (!has_array(zip_, kInterestPositions)) return interest;
    const Vector often = vector(kInterestPositions);
    if (!((often.array() >= 0) && (often.array() <= 4e9) && (often.array() == often.array().floor())).all())
      fail("{}: '{}' are no positions; write it again", zip_.path(), kInterestPositions);
    interest.often.assign(often.begin(), often.end());
    interest.directions = matrix(kInterestDirections), interest.own = vector(kInterestOwn);
    return interest;
  }

  Topics topics() const {
    Topics model{matrix("topics"), vector("weights"), has_array(zip_, kVariance) ? number(kVariance) : 0};
    if (!has_array(zip_, kStandsOut)) return model;
    for (double mark : vector(kStandsOut)) model.stands_out.push_back(mark != 0);
    return model;
  }

  std::vector<double> numbers(const std::string& name) const { return finite_numbers(open(name, 1)); }

  std::vector<std::uint64_t> whole_numbers(const std::string& name) const {
    std::vector<std::uint64_t> whole;
    for (const double number : numbers(name)) {
      if (!(number >= 0 && number < 0x1p53 && number == std::floor(number)))
        fail("{}: '{}' has {}, no whole number; write it again", zip_.path(), name, number);
      whole.push_back(static_cast<std::uint64_t>(number));
    }
    return whole;
  }

  SparseCounts sparse_counts() const {
    const std::vector<std::uint64_t> forest = whole_numbers(kForest);
    const std::vector<double> events = numbers(kEvents);
    if (forest.size() % 2 != 0 || events.size() != 2)
      fail("{}: '{}' or '{}' is not complete; write it again", zip_.path(), kForest, kEvents);
    SparseCounts counts{.extent = Shape(whole_numbers(kExtent)),
                        .events = {events[0], events[1]},
                        .modes = {},
                        .places = {},
                        .counts = {},
                        .variances = {}};
    if (has_array(zip_, kPlaces)) {
      counts.places = whole_numbers(kPlaces);
      counts.counts = numbers(kKept);
      counts.variances = numbers(std::string(kKept) + kVariances);
    }
    for (std::size_t i = 0; i < forest.size(); i += 2) {
      const int mode = static_cast<int>(std::min<std::uint64_t>(forest[i], kMaxOrder + 1)) - 1;
      const int parent = static_cast<int>(std::min<std::uint64_t>(forest[i + 1], kMaxOrder + 1)) - 1;
      counts.modes.push_back(
          {mode, parent, numbers(shares_name(mode)), numbers(shares_name(mode) + kVariances)});
    }
    return counts;
  }

  Counts counts() const {
    if (has_array(zip_, kExtent)) return {DenseTensor(Shape{1, 1}), {}, sparse_counts()};
    Counts counts{tensor("counts"), {}};
    while (has_array(zip_, variances_name(counts.variances.size()))) {
      const Vector of_table = vector(variances_name(counts.variances.size()));
      counts.variances.emplace_back(of_table.begin(), of_table.end());
    }
    return counts;
  }

  std::vector<Matrix> factors() const {
    std::vector<Matrix> result;
    while (has_array(zip_, factor_name(result.size()))) result.push_back(matrix(factor_name(result.size())));
    if (result.empty()) fail("{}: has no array '{}'; write it again", zip_.path(), factor_name(0));
    return result;
  }

  Biases biases() const {
    Biases result;
    if (has_array(zip_, kGlobalBias)) result.global = number(kGlobalBias);
    while (has_array(zip_, bias_name(result.offsets.size())))
      result.offsets.push_back(vector(bias_name(result.offsets.size())));
    return result;
  }

 private:
  NpzArray open(const std::string& name, std::size_t modes) const {
    NpzArray array = open_array(zip_, name);
    if (array.header.shape.size() != modes)
      fail("{}: has {} modes instead of {}; write it again", array.stream->name(), array.header.shape.size(),
           modes);
    return array;
  }

  static std::vector<double> finite_numbers(const NpzArray& array) {
    auto numbers = read_numbers(array);
    const auto bad =
        std::find_if_not(numbers.begin(), numbers.end(), [](double v) { return std::isfinite(v); });
    if (bad != numbers.end())
      fail("{}: element {} is {}, not a finite number; fit the model again", array.stream->name(),
           bad - numbers.begin() + 1, *bad);
    return numbers;
  }

  const ZipReader& zip_;
};

Model load_model(const ZipReader& zip, const std::string& kind) {
  const ArrayReader arrays(zip);
  if (kind == "cp") return Cp{arrays.vector("weights"), arrays.factors(), arrays.biases()};
  if (kind == "tucker") return Tucker{arrays.tensor("core"), arrays.factors(), arrays.biases()};
  if (kind == "tubal")
    return Tubal{arrays.tensor("u"), arrays.tensor("s"), arrays.tensor("v"), arrays.biases()};
  if (kind == "topics") return arrays.topics();
  if (kind == "counts") return arrays.counts();
  fail("{}: holds a model of kind '{}', which this version does not know; update it", zip.path(),
       shortened(kind));
}

// What the model and its description say, with the file's name in front.
void check_model(const std::string& path, const Model& model, const Json& json) {
  try {
    std::visit([](const auto& m) { check(m); }, model);
  } catch (const Error& error) {
    fail("{}: {}", path, text_of(error));
  }
  const Shape model_shape = shape(model);
  const auto stated = json.find("shape");
  if (stated == json.end() ||
      *stated != Json(std::vector<Index>(model_shape.dimensions().begin(), model_shape.dimensions().end())))
    fail("{}: its arrays make a {} model, its description says otherwise; write it again", path,
         model_shape.text());
}

void check_interest(const std::string& path, const Interest& interest, const Shape& shape) {
  try {
    check(interest, shape);
  } catch (const Error& error) {
    fail("{}: {}", path, text_of(error));
  }
}

std::optional<ValueRange> range_of(const std::string& name, const Json& json) {
  const auto found = json.find("range");
  if (found == json.end() || found->is_null()) return std::nullopt;
  const bool two =
      found->is_array() && found->size() == 2 && (*found)[0].is_number() && (*found)[1].is_number();
  if (!two || !((*found)[0].get<double>() <= (*found)[1].get<double>()))
    fail("{}: its range is not two numbers in order; write it again", name);
  return ValueRange{(*found)[0], (*found)[1]};
}

void check_record(const std::string& path, const Measurement& measured, const Json& guarantee) {
  try {
    check_recorded(measured, guarantee.value("releases", Json::array()));
  } catch (const std::exception& error) {
    fail("{}: {}; write it again", path, text_of(error));
  }
}

// What a guarantee does not cover is not for others: nor is what is under the noise of a seeded run, for
// whoever tries seeds.
void check_covered(const std::string& path, const Measurement& measured, const Model& model,
                   const Json& guarantee) {
  const auto states = [&](const char* field, std::string_view text) {
    const auto found = guarantee.find(field);
    return found != guarantee.end() && found->is_string() && *found == text;
  };
  if (!guarantee.is_object() || guarantee.value("reproducible", Json()) != false ||
      !(states("status", "proven") || states("status", "proven, given the model that it was started from")))
    fail("{}: releases without a proven guarantee; write the model without them", path);
  if (!states("unit", name(measured.unit)) || !states("relation", name(measured.relation)))
    fail("{}: its releases protect unit {} under {}, and its guarantee another; write it again", path,
         name(measured.unit), name(measured.relation));
  const Shape whole = shape(model);
  if (measured.shape != (std::holds_alternative<Topics>(model) ? Shape{whole[0], 1} : whole))
    fail("{}: its releases are of a {} tensor, and its model of a {} one; write it again", path,
         measured.shape.text(), whole.text());
  check_record(path, measured, guarantee);
}

}  // namespace

void save(const std::string& path, const ModelFile& file) {
  std::visit([](const auto& model) { check(model); }, file.model);
  check_modes(path, file.modes, shape(file.model));
  if (file.interest) check(*file.interest, shape(file.model));
  const Json description = describe(path, file);
  if (file.measured) check_covered(path, *file.measured, file.model, description["guarantee"]);
  const std::string text = json_text(description) + '\n';
  Sink sink(path);
  ZipWriter zip(sink);
  std::visit([&](const auto& model) { ArrayWriter(zip).add(model); }, file.model);
  if (file.interest) ArrayWriter(zip).add(*file.interest);
  if (file.measured) write_releases(zip, *file.measured);
  zip.add(kJsonMember, [&](const ZipWriter::Take& take) { take(text); });
  zip.finish();
  sink.commit();
}

ModelFile model_from(const ZipReader& zip, const std::string& name, const Json& json) {
  Model model = load_model(zip, text_of(name, json, "kind"));
  check_model(zip.path(), model, json);
  std::vector<Mode> modes = modes_from_json(name, json, shape(model));
  const Json guarantee = json.value("guarantee", Json());
  std::shared_ptr<const Measurement> measured;
  if (auto releases = read_releases(zip, shape(model))) {
    check_covered(zip.path(), *releases, model, guarantee);
    measured = std::make_shared<const Measurement>(std::move(*releases));
  }
  std::optional<Interest> interest = ArrayReader(zip).interest();
  if (interest) check_interest(zip.path(), *interest, shape(model));
  return {std::move(model),
          std::move(modes),
          text_of(name, json, "method"),
          guarantee.is_null() ? "" : json_text(guarantee),
          range_of(name, json),
          std::move(measured),
          std::move(interest)};
}

}  // namespace tulle
