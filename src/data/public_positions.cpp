#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/data/public_positions.hpp>

#include <algorithm>
#include <unordered_map>

namespace tulle {
namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

std::optional<std::int64_t> whole_number(const std::string& text) {
  return parse_number<std::int64_t>(text);
}

void sort_labels(std::vector<std::string>& labels) {
  std::ranges::sort(labels);
  if (!std::ranges::all_of(labels, [](const std::string& label) { return whole_number(label).has_value(); }))
    return;
  std::ranges::stable_sort(labels, {}, [](const std::string& label) { return *whole_number(label); });
}

constexpr std::size_t kExamples = 2;

void add_example(UnknownPosition position, std::vector<UnknownPosition>& examples) {
  if (examples.size() < kExamples && std::ranges::find(examples, position) == examples.end())
    examples.push_back(std::move(position));
}

std::size_t first_line_of(const Dataset& data, std::size_t mode, Index position) {
  if (mode >= data.label_lines.size() || position >= data.label_lines[mode].size()) return 0;
  return data.label_lines[mode][position];
}

// Maps the positions of a mode to public ones.
class Places {
 public:
  Places(const Mode& mode, const PublicPositions& wanted) : wanted_(&wanted) {
    // Labels are numbered in the order of their appearance, which is not public.
    if (!mode.labels.empty() && wanted.labels.empty())
      fail("mode {} has labels; list the public ones, a number of positions does not say which they are",
           mode.name);
    std::unordered_map<std::string_view, std::uint64_t> numbers;
    for (std::size_t i = 0; i < wanted.labels.size(); ++i) numbers.emplace(wanted.labels[i], i);
    for (const std::string& label : mode.labels) {
      const auto found = numbers.find(label);
      by_label_.push_back(found == numbers.end() ? kNowhere : found->second);
    }
  }

  std::uint64_t operator()(Index position) const {
    if (!by_label_.empty()) return position < by_label_.size() ? by_label_[position] : kNowhere;
    const bool counts = wanted_->numbers.empty() || std::ranges::binary_search(wanted_->numbers, position);
    return position < wanted_->size && counts ? position : kNowhere;
  }

 private:
  const PublicPositions* wanted_;
  std::vector<std::uint64_t>
      by_label_;  // empty: positions keep their numbers. Not every position has a label
};

}  // namespace

PublicPositions listed_positions(std::vector<std::string> labels, const std::string& where) {
  if (labels.empty()) fail("{}: lists no position; give one label per line", where);
  std::vector<std::string_view> sorted(labels.begin(), labels.end());
  std::ranges::sort(sorted);
  if (const auto twin = std::ranges::adjacent_find(sorted); twin != sorted.end())
    fail("{}: '{}' is listed twice; keep one of the two", where, *twin);
  const std::uint64_t size = labels.size();
  return {std::move(labels), size};
}

PublicPositions listed_numbers(const std::vector<std::string>& lines, const std::string& where) {
  PublicPositions listed;
  for (const std::string& line : lines) {
    const std::int64_t number = whole_number(line).value_or(0);
    if (number < 1 || static_cast<std::uint64_t>(number) > kMaxDimension)
      fail(
          "{}: '{}' is no position of a mode whose positions are numbers, from 1; list such numbers, or give "
          "the shape",
          where, line.substr(0, 40));
    listed.numbers.push_back(static_cast<Index>(number - 1));
  }
  if (lines.empty()) fail("{}: lists no position; give one number per line", where);
  std::ranges::sort(listed.numbers);
  listed.size = std::uint64_t{listed.numbers.back()} + 1;
  return listed;
}

PublicPositions found_positions(const Dataset& data, int mode) {
  std::vector<std::string> labels = data.modes[static_cast<std::size_t>(mode)].labels;
  if (labels.empty()) return {{}, data.shape()[mode]};
  sort_labels(labels);
  const std::uint64_t size = labels.size();
  return {std::move(labels), size};
}

PlacedData at_public_positions(const Dataset& data,
                               const std::vector<std::optional<PublicPositions>>& positions,
                               OutsidePositions outside) {
  const SparseTensor listed = observed(data);
  PlacedData placed{{data.modes, SparseTensor(data.shape(), Unlisted::missing)}};
  std::vector<std::optional<Places>> places(positions.size());
  std::vector<std::uint64_t> sizes(data.shape().dimensions().begin(), data.shape().dimensions().end());
  for (std::size_t mode = 0; mode < positions.size(); ++mode) {
    if (!positions[mode]) continue;
    Mode& named = placed.data.modes[mode];
    places[mode].emplace(named, *positions[mode]);
    sizes[mode] = positions[mode]->size;
    named.labels = positions[mode]->labels;
  }
  SparseTensor tensor(Shape(sizes), Unlisted::missing);
  tensor.reserve(listed.size());
  for (std::size_t entry = 0; entry < listed.size(); ++entry) {
    auto cell = listed.cells().cell(entry);
    bool inside = true;
    for (std::size_t mode = 0; mode < positions.size() && inside; ++mode) {
      if (!places[mode]) continue;
      const std::uint64_t place = (*places[mode])(cell[mode]);
      inside = place != kNowhere;
      if (inside) {
        cell[mode] = static_cast<Index>(place);
      } else if (outside == OutsidePositions::refuse) {
        fail("'{}' is not among the public positions of mode {}; list it, or let such entries be dropped",
             position_name(data.modes[mode], cell[mode]), data.modes[mode].name);
      } else if (placed.examples.size() < kExamples) {
        add_example({static_cast<int>(mode), position_name(data.modes[mode], cell[mode]),
                     first_line_of(data, mode, cell[mode])},
                    placed.examples);
      }
    }
    if (inside)
      tensor.append(std::span(cell).first(positions.size()), listed.values()[entry]);
    else
      ++placed.dropped;
  }
  placed.data.tensor = std::move(tensor);
  return placed;
}

void number_by_name(Dataset& data, int mode, std::vector<std::string> known) {
  const SparseTensor listed = observed(data);
  Mode& named = data.modes[static_cast<std::size_t>(mode)];
  std::vector<Index> positions(listed.column(mode).begin(), listed.column(mode).end());
  std::ranges::sort(positions);
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  std::unordered_map<std::string, Index> places;
  for (const std::string& name : known) places.emplace(name, static_cast<Index>(places.size()));
  std::unordered_map<Index, Index> place_of;
  for (const Index position : positions) {
    const auto [name, is_new] =
        places.try_emplace(position_name(named, position), static_cast<Index>(known.size()));
    if (is_new) known.push_back(name->first);
    place_of.emplace(position, name->second);
  }
  std::vector<std::vector<Index>> columns;
  for (int each = 0; each < listed.order(); ++each)
    columns.emplace_back(listed.column(each).begin(), listed.column(each).end());
  for (Index& position : columns[static_cast<std::size_t>(mode)]) position = place_of.at(position);
  const Shape shape = listed.shape().with(mode, std::max<std::uint64_t>(1, known.size()));
  data.tensor = SparseTensor(Cells(shape, std::move(columns)),
                             {listed.values().begin(), listed.values().end()}, Unlisted::missing);
  if (named.labels.empty()) named.numbered = true;
  named.labels = std::move(known);
  if (!data.label_lines.empty()) data.label_lines[static_cast<std::size_t>(mode)].clear();
}

}  // namespace tulle
