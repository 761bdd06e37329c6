#include "io/binary/files.hpp"

#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tulle::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Vector any_vector(Eigen::Index size) {
  Vector vector(size);
  for (double& value : vector) value = *rc::gen::inRange(-1'000'000, 1'000'000) / 7.0;
  return vector;
}
Matrix any_matrix(Eigen::Index rows, Eigen::Index columns) {
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < rows; ++i) matrix.row(i) = any_vector(columns);
  return matrix;
}
DenseTensor any_tensor(const Shape& shape) {
  DenseTensor tensor(shape);
  for (double& value : tensor.values()) value = *rc::gen::inRange(-1'000'000, 1'000'000) / 7.0;
  return tensor;
}
Index any_size() {
  return *rc::gen::inRange<Index>(1, 5);
}

Biases any_biases(const std::vector<std::uint64_t>& sizes) {
  Biases biases;
  if (*rc::gen::arbitrary<bool>()) biases.global = *rc::gen::inRange(-100, 100) / 3.0;
  if (*rc::gen::arbitrary<bool>())
    for (std::uint64_t size : sizes) biases.offsets.push_back(any_vector(static_cast<Eigen::Index>(size)));
  return biases;
}

Model any_model() {
  const int order = *rc::gen::inRange(3, 6);
  std::vector<std::uint64_t> sizes;
  std::vector<std::uint64_t> ranks;
  for (int mode = 0; mode < order; ++mode) {
    sizes.push_back(any_size());
    ranks.push_back(any_size());
  }
  switch (*rc::gen::inRange(0, 3)) {
    case 0: {
      Cp model{any_vector(*rc::gen::inRange(0, 5)), {}, any_biases(sizes)};  // rank 0: biases alone
      for (std::uint64_t size : sizes)
        model.factors.push_back(any_matrix(static_cast<Eigen::Index>(size), model.rank()));
      return model;
    }
    case 1: {
      Tucker model{any_tensor(Shape(ranks)), {}, any_biases(sizes)};
      for (int mode = 0; mode < order; ++mode)
        model.factors.push_back(
            any_matrix(static_cast<Eigen::Index>(sizes[mode]), static_cast<Eigen::Index>(ranks[mode])));
      return model;
    }
    default: {
      std::vector<std::uint64_t> s(sizes.begin() + 1, sizes.end());
      s[0] = ranks[0];
      std::vector<std::uint64_t> u = sizes;
      u[1] = ranks[0];
      std::vector<std::uint64_t> v = u;
      v[0] = sizes[1];
      return Tubal{any_tensor(Shape(u)), any_tensor(Shape(s)), any_tensor(Shape(v)), any_biases(sizes)};
    }
  }
}

bool same(const Biases& a, const Biases& b) {
  return a.global == b.global && a.offsets == b.offsets;
}
bool same(const Cp& a, const Cp& b) {
  return a.weights == b.weights && a.factors == b.factors && same(a.biases, b.biases);
}
bool same(const Tucker& a, const Tucker& b) {
  return a.core == b.core && a.factors == b.factors && same(a.biases, b.biases);
}
bool same(const Tubal& a, const Tubal& b) {
  return a.u == b.u && a.s == b.s && a.v == b.v && same(a.biases, b.biases);
}
bool same(const Model& a, const Model& b) {
  return a.index() == b.index() &&
         std::visit(
             [&](const auto& model) { return same(model, std::get<std::decay_t<decltype(model)>>(b)); }, a);
}

RC_GTEST_PROP(ModelFileRoundTrip, AnyModel, ()) {
  const Model model = any_model();
  std::vector<Mode> modes = unnamed_modes(shape(model).order());
  modes[1].name = "item";
  for (Index i = 0; i < shape(model)[1]; ++i) modes[1].labels.push_back(fmt::format("item {}", i));
  const TempDir dir;
  save(dir / "m.npz", {model, modes, "some-method", R"({"epsilon":1.0,"delta":1e-06})"});
  const ModelFile back = load_completed(dir / "m.npz");
  RC_ASSERT(same(back.model, model));
  RC_ASSERT(back.modes == modes);
  RC_ASSERT(back.method == "some-method");
  RC_ASSERT(back.guarantee == R"({"epsilon":1.0,"delta":1e-06})");
  save(dir / "n.npz", back);
  RC_ASSERT(get(dir / "m.npz") == get(dir / "n.npz"));
}

RC_GTEST_PROP(ModelFileRoundTrip, WithTheInterestOfUsers, ()) {
  const Model model = any_model();
  const auto positions = static_cast<Eigen::Index>(shape(model)[1]);
  Interest interest{1, any_vector(positions), {}, Matrix(0, 0), Vector(0)};
  if (*rc::gen::arbitrary<bool>()) {
    interest.often = {0};
    interest.directions = any_matrix(1, 1);
    interest.own = Vector::Ones(1);
  }
  const TempDir dir;
  save(dir / "m.npz",
       {.model = model, .modes = unnamed_modes(shape(model).order()), .method = "als", .interest = interest});
  const ModelFile back = load_completed(dir / "m.npz");
  RC_ASSERT(back.interest.has_value());
  RC_ASSERT(back.interest->mode == 1);
  RC_ASSERT(back.interest->popularity == interest.popularity);
  RC_ASSERT(back.interest->often == interest.often);
  RC_ASSERT(back.interest->directions == interest.directions);
  RC_ASSERT(back.interest->own == interest.own);
}

class ModelFiles : public testing::Test {
 protected:
  using Members = std::vector<std::pair<std::string, std::string>>;

  std::string error_for_bytes(std::string_view bytes) {
    put(path_, bytes);
    const std::string message = error_of([&] { load(path_); });
    EXPECT_TRUE(message.empty() || message.starts_with(path_)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  std::string error_for(Members members, const std::string& json) {
    members.emplace_back("tulle.json", json);
    return error_for_bytes(zip(members));
  }
  static std::string description(std::string_view kind, std::string_view shape = "[2,3]",
                                 std::string_view modes = R"([{"name":"a"},{"name":"b"}])") {
    return fmt::format(
        R"({{"format":"tulle model","version":1,"kind":"{}","method":"als","shape":{},"modes":{},"guarantee":null}})",
        kind, shape, modes);
  }
  static std::string array(std::string_view shape, const std::vector<double>& values, bool fortran = false) {
    return npy("<f8", fortran, shape, bytes_of(values));
  }

  TempDir dir_;
  std::string path_ = dir_ / "m.npz";
  Members cp_ = {{"weights.npy", array("(1,)", {2})},
                 {"factor1.npy", array("(2, 1)", {3, 4})},
                 {"factor2.npy", array("(3, 1)", {5, 6, 7})}};
};

TEST_F(ModelFiles, ModelsMadeByOthers) {
  ASSERT_EQ(error_for(cp_, description("cp")), "");
  const ModelFile file = load_completed(path_);
  EXPECT_EQ(reconstruct(file.model), DenseTensor({2, 3}, {30, 36, 42, 40, 48, 56}));
  EXPECT_EQ(file.method, "als");
  EXPECT_EQ(file.guarantee, "");
}

TEST_F(ModelFiles, FactorsInFortranOrder) {
  const Members members = {{"weights.npy", array("(2,)", {1, 1})},
                           {"factor1.npy", array("(2, 2)", {1, 2, 3, 4}, true)},
                           {"factor2.npy", array("(3, 2)", {1, 0, 0, 0, 0, 1}, false)}};
  ASSERT_EQ(error_for(members, description("cp")), "");
  EXPECT_EQ(std::get<Cp>(load_completed(path_).model).factors[0], (Matrix(2, 2) << 1, 3, 2, 4).finished());
}

TEST_F(ModelFiles, ArraysThatDoNotFit) {
  const auto with = [&](std::size_t member, const std::string& bytes) {
    Members members = cp_;
    members[member].second = bytes;
    return error_for(members, description("cp"));
  };
  EXPECT_THAT(with(0, array("(2,)", {1, 2})),
              HasSubstr("m.npz: cp model: a factor has 1 columns, but there are 2 weights"));
  EXPECT_THAT(with(0, array("(1, 1)", {1})), HasSubstr("[weights]: has 2 modes instead of 1"));
  EXPECT_THAT(with(1, array("(2,)", {1, 2})), HasSubstr("[factor1]: has 1 modes instead of 2"));
  EXPECT_THAT(with(1, array("(2, 1)", {1, std::nan("")})),
              HasSubstr("[factor1]: element 2 is nan, not a finite number"));
  EXPECT_THAT(with(1, array("(0, 1)", {})), HasSubstr("mode 1 has size 0"));
  EXPECT_THAT(with(1, array("(9, 1)", {1, 2})), HasSubstr("[factor1]: takes"));
  EXPECT_THAT(with(2, array("(4, 1)", {1, 2, 3, 4})),
              HasSubstr("make a 2x4 model, its description says otherwise"));
  EXPECT_THAT(with(2, "pickle"), HasSubstr("[factor2]: is no .npy file"));
  EXPECT_THAT(error_for({cp_[0], cp_[1]}, description("cp")), HasSubstr("2 to 8 modes, not 1"));
  EXPECT_THAT(error_for({cp_[0]}, description("cp")), HasSubstr("has no array 'factor1'"));
  EXPECT_THAT(error_for({cp_[1], cp_[2]}, description("cp")), HasSubstr("has no member 'weights.npy'"));
}

TEST_F(ModelFiles, InterestThatDoesNotFit) {
  Members members = cp_;
  members.emplace_back("interest_mode.npy", array("()", {2}));
  members.emplace_back("popularity.npy", array("(2,)", {1, 2}));
  EXPECT_THAT(error_for(members, description("cp")), HasSubstr("interest"));
}

TEST_F(ModelFiles, BiasesThatDoNotFit) {
  Members members = cp_;
  members.emplace_back("bias_global.npy", array("()", {2}));
  members.emplace_back("bias1.npy", array("(2,)", {1, 2}));
  EXPECT_THAT(error_for(members, description("cp")), HasSubstr("biases: 1 modes for a 2x3 tensor"));
  members.emplace_back("bias2.npy", array("(3,)", {1, 2, 3}));
  EXPECT_EQ(error_for(members, description("cp")), "");
  EXPECT_EQ(std::get<Cp>(load_completed(path_).model).biases.global, 2);
  members.back().second = array("(2,)", {1, 2});
  EXPECT_THAT(error_for(members, description("cp")), HasSubstr("biases: 2 offsets for mode 2"));
}

TEST_F(ModelFiles, WrongDescriptions) {
  EXPECT_THAT(error_for_bytes(zip(cp_)), HasSubstr("is not a tulle model (it has no tulle.json)"));
  EXPECT_THAT(error_for(cp_, "nonsense"), HasSubstr("[tulle.json]: is no JSON object"));
  EXPECT_THAT(error_for(cp_, description("forest")), HasSubstr("kind 'forest'"));
  EXPECT_THAT(error_for(cp_, description("tucker")), HasSubstr("has no member 'core.npy'"));
  EXPECT_THAT(error_for(cp_, description("tubal")), HasSubstr("has no member 'u.npy'"));
  EXPECT_THAT(error_for(cp_, description("cp", "[2,4]")), HasSubstr("make a 2x3 model"));
  EXPECT_THAT(error_for(cp_, description("cp", "7")), HasSubstr("make a 2x3 model"));
  EXPECT_THAT(error_for(cp_, description("cp", "[2,3]", "[]")), HasSubstr("names 0 modes of a 2x3 tensor"));
  EXPECT_THAT(
      error_for(cp_, description("cp", "[2,3]", R"([{"name":"a","labels":["x","y","z"]},{"name":"b"}])")),
      HasSubstr("mode 'a' has 3 labels for 2 positions"));
  EXPECT_THAT(error_for(cp_, R"({"format":"tulle model","version":9})"), HasSubstr("has format version 9"));
  EXPECT_THAT(error_for(cp_, R"({"format":"tulle model","version":1})"), HasSubstr("has no text 'kind'"));
}

TEST_F(ModelFiles, DescriptionsOfAnotherTypeAreRefusedInOneLine) {
  const std::string cp = description("cp");
  for (const char* guarantee :
       {"[1]", "5", R"({"status":5})", R"({"mode":[]})", R"({"reproducible":"no"})"}) {
    const std::string stated = cp.substr(0, cp.size() - std::string_view("null}").size()) + guarantee + "}";
    EXPECT_THAT(error_for(cp_, stated), AllOf(HasSubstr("write it again"), Not(HasSubstr("exception"))))
        << guarantee;
  }
}

TEST_F(ModelFiles, ReleasesOfAnotherLayoutAreRefusedInOneLine) {
  const auto error = [&](const std::string& releases) {
    Members members = cp_;
    members.emplace_back("releases.json", releases);
    return error_for(members, description("cp"));
  };
  EXPECT_THAT(error(R"({"format":"tulle releases","version":1})"),
              HasSubstr("[releases.json]: is of an earlier version of tulle"));
  EXPECT_THAT(error(R"({"format":"tulle releases","version":2})"),
              HasSubstr("[releases.json]: key 'entries' not found; write it again"));
  EXPECT_THAT(error(R"({"format":"tulle releases","version":2,"entries":"x"})"),
              HasSubstr("[releases.json]: type must be number, but is string; write it again"));
}

TEST_F(ModelFiles, TensorsAreNoModels) {
  write(path_, {unnamed_modes(2), DenseTensor({2, 2}, {1, 2, 3, 4})});
  EXPECT_THAT(error_of([&] { load(path_); }), HasSubstr("the file is a tulle tensor, not a tulle model"));
}

TEST_F(ModelFiles, ModelsAreNoTensors) {
  put(path_, zip([&] {
        Members members = cp_;
        members.emplace_back("tulle.json", description("cp"));
        return members;
      }()));
  EXPECT_THAT(error_of([&] { read(path_); }), HasSubstr("the file is a tulle model, not a tulle tensor"));
}

TEST_F(ModelFiles, CutOffAtEveryByte) {
  Members members = cp_;
  members.emplace_back("tulle.json", description("cp"));
  const std::string whole = zip(members);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_for_bytes(whole.substr(0, length)), "") << length;
}

TEST_F(ModelFiles, NothingIsWrittenWhenSomethingIsWrong) {
  const Cp model{Vector::Ones(1), {Matrix::Ones(2, 1), Matrix::Ones(3, 1)}, {}};
  EXPECT_THAT(error_of([&] {
                save(path_, {model, unnamed_modes(3), "als", ""});
              }),
              HasSubstr("names 3 modes"));
  EXPECT_THAT(error_of([&] {
                save(path_, {model, unnamed_modes(2), "als", "{"});
              }),
              HasSubstr("guarantee is no JSON"));
  Cp wrong = model;
  wrong.weights = Vector::Ones(2);
  EXPECT_NE(error_of([&] { save(path_, {wrong, unnamed_modes(2), "als", ""}); }), "");
  EXPECT_EQ(dir_.files(), 0u);
  EXPECT_THAT(error_of([&] {
                save(dir_ / "no/such/m.npz", {model, unnamed_modes(2), "als", ""});
              }),
              HasSubstr("no/such"));
}

}  // namespace
}  // namespace tulle::test
