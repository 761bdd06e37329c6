#include "release/user_gradients.hpp"

#include "method/private_request.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace tulle {
namespace {

// Two users, of whom the first has both items and the second one.
SparseTensor two_users() {
  SparseTensor tensor(Shape{2, 2}, Unlisted::missing);
  tensor.append(std::array<Index, 2>{0, 0}, 1.0F);
  tensor.append(std::array<Index, 2>{0, 1}, 0.0F);
  tensor.append(std::array<Index, 2>{1, 1}, 1.0F);
  return tensor;
}

struct Released {
  Noisy sum;
  ModelLayout layout = ModelLayout::cp(Shape{1, 2}, 1);
};

Released release(double clip) {
  const Terms terms{.budget = {1e5, 1e-6}, .unit = Unit::user, .range = {0, 1}};
  const PrivateRequest request = testing::private_request(two_users(), terms, {}, Relation::add_remove);
  Released result;
  const UserGradients gradients(request, result.layout, {{0.5, 0.5}});
  const ClippedSteps steps(PoissonSampler(1), 0.0023, {}, Unit::user, Relation::add_remove);
  Curator curator =
      Curator::with_budget(terms.budget, Unit::user, Relation::add_remove, RandomBits::seeded(1));
  const std::vector<double> parameters = {0, 1, 0.5};
  result.sum = gradients.release(steps, curator, parameters, 0.1, clip);
  return result;
}

// Against the kernel's own sum, which noise of 0.0023 times the clip leaves to three digits.
TEST(UserGradients, ReleaseTheSumOfSharedFactorsAlone) {
  const Released released = release(10);
  ASSERT_EQ(released.sum.values.size(), released.layout.size());
  EXPECT_EQ(released.sum.values[0], 0) << "users' rows are not released";
  const SliceGradients all(two_users(), released.layout, 0, Standard{0.5, 0.5});
  const ClippedSum exact =
      all.sum(std::vector<double>{0, 1, 0.5}, 0.1, std::array<std::uint64_t, 2>{0, 1}, 10);
  for (std::size_t i = 1; i < 3; ++i) EXPECT_NEAR(released.sum.values[i], exact.numbers[i], 0.15) << i;
  EXPECT_NEAR(released.sum.deviation, 0.023, 1e-4);
}

TEST(UserGradients, FillInEveryUsersOwnRow) {
  const Terms terms{.budget = {1, 1e-6}, .unit = Unit::user, .range = {0, 1}};
  const PrivateRequest request = testing::private_request(two_users(), terms, {}, Relation::add_remove);
  const UserGradients gradients(request, ModelLayout::cp(Shape{1, 2}, 1), {{0.5, 0.5}});
  const Protected<Model> model = gradients.with_own_rows({0, 1, 0.5}, 0.1);
  const auto& rows = std::get<Cp>(open_for_the_data_owner(model)).factors[0];
  EXPECT_EQ(rows.rows(), 2);
  EXPECT_GT(std::abs(rows(1, 0)), 0);
}

// A user with long gradients in two relations, which share the items, and of which the second lacks the tags.
// She adds no more than the clip over both, and rows that are constants are no part of the sum.
TEST(UserGradients, AUserIsClippedOverAllRelationsTogether) {
  const auto coupling = std::make_shared<const Coupling>(
      Coupling{.sizes = {1, 2, 2}, .relations = {{"first", {0, 1, 2}}, {"second", {0, 1}}}});
  SparseTensor tensor(coupling->shape(0, 1), Unlisted::missing);
  for (Index item = 0; item < 2; ++item) {
    tensor.append(std::array<Index, 4>{0, item, item, 0}, 1.0F);
    tensor.append(std::array<Index, 4>{0, item, 2, 1}, static_cast<float>(item));
  }
  const Terms terms{.budget = {1e5, 1e-6}, .unit = Unit::user, .range = {0, 1}};
  const PrivateRequest request =
      testing::private_request(tensor, terms, {.coupling = coupling}, Relation::add_remove);
  const CoupledLayout layout(ModelLayout::cp(request.data.shape(), 1), coupling.get());
  const UserGradients gradients(request, layout, {{0.5, 0.5}, {0.5, 0.5}});
  const ClippedSteps steps(PoissonSampler(1), 0.0023, {}, Unit::user, Relation::add_remove);
  const std::vector<double> parameters = {0, 1, 0.5, 2, -1};
  for (const double clip : {1e-3, 10.0}) {
    Curator curator =
        Curator::with_budget(terms.budget, Unit::user, Relation::add_remove, RandomBits::seeded(1));
    const Noisy sum = gradients.release(steps, curator, parameters, 0.1, clip);
    ASSERT_EQ(sum.values.size(), layout.entities().size());
    double squares = 0;
    for (double value : sum.values) squares += value * value;
    // Noise of 0.0023 clip on four numbers is below 0.03 clip but for a probability of 1e-30.
    if (clip < 1) {
      EXPECT_NEAR(std::sqrt(squares), clip, 0.03 * clip);
    }
    for (std::size_t i = 1; i < 5; ++i) EXPECT_GT(std::abs(sum.values[i]), 0) << "of items and tags";
  }
}

// Items are local, and the second of two sites has the last two of four, which its first user likes and its
// second does not. Released rows of opposite signs cannot say so, with an error of 4 in standardised values;
// rows that are fitted to the data can. The other site's stay as they were released.
TEST(UserGradients, LocalRowsAreFittedToTheSitesOwnData) {
  SparseTensor tensor(Shape{2, 4}, Unlisted::missing);
  for (Index user = 0; user < 2; ++user)
    for (Index item = 2; item < 4; ++item) tensor.append(std::array{user, item}, user == 0 ? 1.0F : 0.0F);
  const Terms terms{.budget = {1, 1e-6}, .unit = Unit::user, .range = {0, 1}};
  const PrivateRequest request = testing::private_request(tensor, terms, {}, Relation::add_remove);
  const UserGradients gradients(request, ModelLayout::cp(Shape{1, 4}, 1), {{0.5, 0.5}});
  const std::vector<double> parameters = {0, 7, 8, 1, -0.8};
  const Model released = open_for_the_data_owner(gradients.with_own_rows(parameters, 0.01)),
              local = open_for_the_data_owner(gradients.with_local_rows(parameters, 0.01, {{1, 2, 2}}));
  const auto error = [&](const Model& model) {
    double squares = 0;
    for (std::size_t entry = 0; entry < tensor.size(); ++entry)
      squares += std::pow((predict(model, tensor.cells())[entry] - tensor.values()[entry]) / 0.5, 2);
    return squares;
  };
  EXPECT_GT(error(released), 3.5);
  EXPECT_LT(error(local), 0.1);
  EXPECT_EQ(std::get<Cp>(local).factors[1].topRows(2), std::get<Cp>(released).factors[1].topRows(2));
}

}  // namespace
}  // namespace tulle
