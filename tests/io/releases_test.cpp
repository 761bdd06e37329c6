#include "io/binary/files.hpp"

#include <tulle/io/saved_model.hpp>

#include <gmock/gmock.h>

namespace tulle::test {
namespace {

using testing::HasSubstr;

// The record of a guarantee has what sample() has.
std::string guarantee_with(const std::string& record) {
  return R"({"status":"proven","reproducible":false,"unit":"entry","relation":"replace","sentence":"epsilon 1","releases":[)" +
         record + "]}";
}

const std::string kMean = R"({"what":"their mean","noise":"Laplace","coordinates":1,
  "accounted":{"mechanism":"approximate","epsilon":1,"delta":0,"count":1}})";
const std::string kEntries = R"({"what":"every entry","noise":"Laplace","coordinates":2,
  "accounted":{"mechanism":"laplace","noise_multiplier":2,"count":1}})";
const std::string kProven = guarantee_with(kMean + "," + kEntries);

std::shared_ptr<Measurement> sample() {
  Cells cells(Shape{2, 3});
  for (Index j = 0; j < 3; ++j) cells.append(std::array<Index, 2>{1, j});
  Release portion{.id = "entries",
                  .what = "every entry",
                  .noise = "Laplace",
                  .events = {Event::laplace(2)},
                  .values = {0.25, 1.0 / 3},
                  .deviation = 0.5,
                  .typical = 0.25,
                  .units = {0, 2},
                  .window = 0.1,
                  .clipped = {0, 1},
                  .chosen = {4, 1.0 / 7}};
  Release mean{.id = "mean",
               .what = "their mean",
               .noise = "Laplace",
               .events = {Event::pure(1)},
               .values = {1e-9},
               .deviation = 1,
               .typical = 1};
  return std::make_shared<Measurement>(
      Measurement{.method = "one-shot",
                  .unit = Unit::entry,
                  .relation = Relation::replace,
                  .shape = {2, 3},
                  .positions = cells,
                  .low = -1,
                  .high = 5,
                  .orders = {{.kind = ModeOrder::Kind::stated, .period = 7}, {.places = {0, 0.5, 1.0 / 3}}},
                  .seed = 0xffff'ffff'ffff'ffff,
                  .releases = {mean, portion}});
}

ModelFile file_of(std::shared_ptr<const Measurement> measured, const std::string& guarantee = kProven) {
  return {.model = Cp{Vector::Ones(1), {Matrix::Ones(2, 1), Matrix::Ones(3, 1)}, {}},
          .modes = {{"a", {}}, {"b", {}}},
          .method = "one-shot",
          .guarantee = guarantee,
          .measured = std::move(measured)};
}

TEST(ReleasesInAModelFile, ComeBackAsTheyWereSaved) {
  const TempDir folder;
  save(folder / "m.npz", file_of(sample()));
  const auto back = load_completed(folder / "m.npz").measured;
  ASSERT_TRUE(back);
  const Measurement wanted = *sample();
  EXPECT_EQ(back->releases, wanted.releases);
  EXPECT_EQ(back->orders, wanted.orders);
  EXPECT_EQ(back->positions, wanted.positions);
  EXPECT_EQ(back->shape, wanted.shape);
  EXPECT_EQ(back->seed, wanted.seed);
  EXPECT_EQ(back->method, wanted.method);
  EXPECT_EQ(back->low, -1);
  EXPECT_EQ(back->high, 5);
}

TEST(ReleasesInAModelFile, MayBePrivateInTheirPositions) {
  const TempDir folder;
  const auto measured = sample();
  measured->unit = Unit::user, measured->relation = Relation::add_remove, measured->user_mode = 1;
  measured->positions.reset();
  measured->releases.pop_back();
  EXPECT_THAT(error_of([&] { save(folder / "m.npz", file_of(measured)); }),
              HasSubstr("its releases protect unit user under add-remove, and its guarantee another"));
  save(folder / "m.npz",
       file_of(
           measured,
           R"({"status":"proven","reproducible":false,"unit":"user","relation":"add-remove","releases":[)" +
               kMean + "]}"));
  const auto back = load_completed(folder / "m.npz").measured;
  EXPECT_FALSE(back->positions);
  EXPECT_EQ(back->unit, Unit::user);
  EXPECT_EQ(back->relation, Relation::add_remove);
  EXPECT_EQ(back->user_mode, 1);
}

TEST(ReleasesInAModelFile, MayBeOfDocuments) {
  const TempDir folder;
  const auto measured = sample();
  measured->unit = Unit::document, measured->shape = {3, 1};
  measured->positions.reset();
  measured->documents = DocumentFacts{7, true};
  measured->orders.clear();
  measured->releases.pop_back();
  ModelFile file = file_of(
      measured,
      R"({"status":"proven","reproducible":false,"unit":"document","relation":"replace","releases":[)" +
          kMean + "]}");
  file.model = Topics{Matrix::Ones(3, 2), Vector::Constant(2, 0.5), 0};
  save(folder / "m.npz", file);
  const auto back = std::get<ModelFile>(load(folder / "m.npz")).measured;
  EXPECT_EQ(back->shape, (Shape{3, 1}));
  EXPECT_EQ(back->documents, measured->documents);
  EXPECT_EQ(back->high, 5);
  file.model = Topics{Matrix::Ones(4, 2), Vector::Constant(2, 0.5), 0};
  EXPECT_THAT(error_of([&] { save(folder / "m.npz", file); }), HasSubstr("its releases are of a 3x1 tensor"));
}

TEST(ReleasesInAModelFile, AreLeftOutWhereThereAreNone) {
  const TempDir folder;
  save(folder / "m.npz", file_of(nullptr));
  EXPECT_FALSE(load_completed(folder / "m.npz").measured);
}

// What no proven guarantee covers stays out of a file, and is not taken from one.
TEST(ReleasesInAModelFile, NeedAProvenGuarantee) {
  const TempDir folder;
  for (const char* guarantee : {"", R"({"status":"claimed"})", R"({"status":5})",
                                R"({"status":"proven, except against whoever knows the seed"})", R"([1])",
                                R"({"status":"proven"})", R"({"status":"proven","reproducible":true})"})
    EXPECT_THAT(error_of([&] { save(folder / "m.npz", file_of(sample(), guarantee)); }),
                HasSubstr("without a proven guarantee"))
        << guarantee;
  EXPECT_EQ(folder.files(), 0u);
  save(folder / "m.npz", file_of(sample()));
  std::string bytes = get(folder / "m.npz");
  EXPECT_NE(bytes.find("\"proven\""), std::string::npos);
}

// Those of another run cost something of their own, which the guarantee does not count.
TEST(ReleasesInAModelFile, AreOnTheRecordOfTheGuarantee) {
  const TempDir folder;
  const auto refusal = [&](const std::string& record, const Measurement& measured) {
    return error_of([&] {
      save(folder / "m.npz", file_of(std::make_shared<const Measurement>(measured), guarantee_with(record)));
    });
  };
  const std::string no_record = "release 'mean' is not on the record of the guarantee";
  EXPECT_THAT(refusal("", *sample()), HasSubstr(no_record));
  EXPECT_THAT(refusal(kEntries, *sample()), HasSubstr(no_record));
  EXPECT_THAT(refusal(kMean, *sample()), HasSubstr("release 'entries' is not on the record"));
  const std::string both = kMean + "," + kEntries;
  EXPECT_EQ(refusal(both, *sample()), "");
  Measurement other = *sample();
  other.releases[1].events = {Event::laplace(1)};
  EXPECT_THAT(refusal(both, other), HasSubstr("release 'entries' is not on the record"));
  other = *sample();
  other.releases.push_back(other.releases[1]);
  EXPECT_THAT(refusal(both, other), HasSubstr("or has more values than recorded"));
  EXPECT_EQ(refusal(both + "," + kEntries, other), "");
  other = *sample();
  other.releases[0].events.push_back(Event::pure(1));
  EXPECT_THAT(refusal(both, other), HasSubstr("release 'mean'"));
  EXPECT_THAT(refusal(R"({"what":5})", *sample()), HasSubstr("write it again"));
}

TEST(ReleasesInAModelFile, AreOfTheModelsTensor) {
  const TempDir folder;
  const auto measured = sample();
  measured->shape = {2, 4};
  measured->positions = measured->positions->within({2, 4});
  EXPECT_THAT(error_of([&] { save(folder / "m.npz", file_of(measured)); }),
              HasSubstr("releases are of a 2x4"));
}

TEST(ReleasesInAModelFile, AreCheckedBeforeTheyAreWritten) {
  const TempDir folder;
  const auto measured = sample();
  measured->releases[0].deviation = 0;
  EXPECT_THROW(save(folder / "m.npz", file_of(measured)), Error);
  EXPECT_EQ(folder.files(), 0u);
}

// One byte of a file after the other is changed: whatever it says then, it is read, or refused in one line.
TEST(ReleasesInAModelFile, AreReadOrRefusedWhereTheyAreDamaged) {
  const TempDir folder;
  save(folder / "m.npz", file_of(sample()));
  const std::string bytes = get(folder / "m.npz");
  const std::size_t begin = bytes.find("\"tulle releases\"");
  ASSERT_NE(begin, std::string::npos);
  for (std::size_t at = begin; at < std::min(begin + 700, bytes.size()); at += 3) {
    std::string damaged = bytes;
    damaged[at] = damaged[at] == '7' ? 'x' : '7';
    put(folder / "d.npz", damaged);
    const std::string message = error_of([&] { load(folder / "d.npz"); });
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace tulle::test
