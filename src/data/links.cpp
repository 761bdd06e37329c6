#include <tulle/base/error.hpp>
#include <tulle/base/random.hpp>
#include <tulle/data/links.hpp>
#include <tulle/data/zeros.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// FNV-1a, the same on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return hash;
}

// The positions of a mode in random order, earlier ones likelier; number i is in group i mod groups.
class GroupedPositions {
 public:
  GroupedPositions(Index size, const LinkModel& model, Random random) : model_(model), order_(size) {
    for (Index i = 0; i < size; ++i) order_[i] = i;
    random.shuffle(std::span(order_));
  }

  Index draw(Random& random, int group) const {
    const auto groups = static_cast<std::size_t>(model_.groups), first = static_cast<std::size_t>(group);
    if (!random.chance(model_.inside)) return order_[by_power_law(random, order_.size())];
    return order_[first + groups * by_power_law(random, (order_.size() - first + groups - 1) / groups)];
  }

 private:
  // The density x^-exponent on (0, 1], in `count` parts.
  std::size_t by_power_law(Random& random, std::size_t count) const {
    const double x = std::pow(random.uniform(), 1 / (1 - model_.exponent));
    return std::min(static_cast<std::size_t>(x * static_cast<double>(count)), count - 1);
  }

  LinkModel model_;
  std::vector<Index> order_;
};

void check_link_model(const Shape& shape, std::size_t count, const LinkModel& model) {
  if (model.groups < 1 || !(model.exponent >= 0 && model.exponent < 1) ||
      !(model.inside >= 0 && model.inside <= 1))
    fail("links need 1 group or more, an exponent from 0 to below 1 and a probability");
  double cells = 1;
  for (Index size : shape.dimensions()) {
    if (size < static_cast<Index>(model.groups))
      fail("{} positions of a mode are fewer than {} groups", size, model.groups);
    cells *= size;
  }
  if (cells < 2 * static_cast<double>(count)) fail("{} links are too many for {}", count, shape.text());
}

}  // namespace

SparseTensor draw_links(const Shape& shape, std::span<const std::string> modes, std::size_t count,
                        const LinkModel& model, std::uint64_t seed) {
  check_link_model(shape, count, model);
  std::vector<GroupedPositions> positions;
  std::uint64_t table = 0;  // tables with other modes draw other links
  for (int mode = 0; mode < shape.order(); ++mode) {
    const std::uint64_t name = hash_of(modes[static_cast<std::size_t>(mode)]);
    positions.emplace_back(shape[mode], model, Random(seed, name));
    table = table * 31 + name;
  }
  Random random(seed, table);
  std::vector<std::size_t> numbers;
  for (int round = 0; numbers.size() < count; ++round) {
    if (round == 1000) fail("{} links of so few likely cells; give fewer, or a smaller exponent", count);
    for (std::size_t missing = count - numbers.size(); missing > 0; --missing) {
      const int group = static_cast<int>(random.below(static_cast<std::uint64_t>(model.groups)));
      std::size_t number = 0;
      for (int mode = 0; mode < shape.order(); ++mode)
        number += positions[static_cast<std::size_t>(mode)].draw(random, group) * shape.stride(mode);
      numbers.push_back(number);
    }
    std::ranges::sort(numbers);
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  return {cells_numbered(shape, numbers), std::vector<float>(numbers.size(), 1), Unlisted::zero};
}

}  // namespace tulle
