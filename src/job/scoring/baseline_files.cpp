#include <tulle/base/error.hpp>
#include <tulle/job/baseline_files.hpp>

#include <algorithm>

namespace tulle {
namespace {

Shape shape_of_both(const Shape& one, const Shape& other) {
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < one.order(); ++mode) sizes.push_back(std::max(one[mode], other[mode]));
  return Shape(sizes);
}

SparseTensor within(const SparseTensor& tensor, const Shape& shape) {
  return {tensor.cells().within(shape), {tensor.values().begin(), tensor.values().end()}, tensor.unlisted()};
}

}  // namespace

std::optional<Baselines> baselines_of_files(const std::string& train, const std::string& test,
                                            ReadOptions reading, const std::optional<Range>& range) {
  if (train == "-" || test == "-")
    fail_usage("with @train both files are read from the start; give files instead of standard input");
  reading.grow = true;
  Dataset known = read(train, reading);
  reading.known = known.modes;
  for (Mode& mode : reading.known) mode.any = false;  // a user of one file is the same in the other
  const SparseTensor trained = observed(std::move(known)), tested = observed(read(test, reading));
  if (trained.order() != tested.order())
    fail("{}: a {} tensor, but {} is {}", test, tested.shape().text(), train, trained.shape().text());
  const Shape both = shape_of_both(trained.shape(), tested.shape());
  return baselines(within(trained, both), within(tested, both), range);
}

}  // namespace tulle
