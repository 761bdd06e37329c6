#include "../expect_error.hpp"
#include "../temporary_folder.hpp"

#include <tulle/io/study.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

class ReadStudy : public testing::Test {
 protected:
  void SetUp() override {
    write("visits.csv", "user,place,count\nann,inn,2\nbob,bar,1\nann,bar,5\n");
    write("traits.csv", "place,trait,value\npub,cheap,1\ninn,warm,0.5\n");
    write("plain.tns", "1 1 2\n2 3 1\n");
    write("negative.tns", "1 1 2\n2 3 -1\n");
    write("column.tns", "1 1 2\n3 1 4\n");
  }

  void write(const std::string& name, const std::string& text) { folder_.write(name, text); }

  StudyFile file(const std::string& text) {
    write("study.toml", text);
    return read_study(folder_ / "study.toml");
  }
  Study read(const std::string& text) { return read_tables(file(text)); }

  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      std::string message = error.what();
      const std::string prefix = folder_ / "study.toml";
      EXPECT_EQ(message.substr(0, prefix.size()), prefix) << message;
      return message.substr(prefix.size());
    }
    return "";
  }

  TemporaryFolder folder_;
};

constexpr const char* kTwoTables = R"(
entities = ["user", "place", "trait"]
rank = 2
prior = { shape = 2, mean = 3 }
[[relations]]
name = "visits"
file = "visits.csv"
entities = ["user", "place"]
columns = ["user", "place", "count"]
unlisted = "zero"
[[relations]]
name = "traits"
file = "traits.csv"
entities = ["place", "trait"]
divergence = "euclidean"
weight = 0.5
)";

TEST_F(ReadStudy, TablesShareThePositionsOfTheirEntities) {
  const Study study = read(kTwoTables);
  EXPECT_EQ(study.entities[1].labels, (std::vector<std::string>{"inn", "bar", "pub"}));
  ASSERT_EQ(study.tables.size(), 2u);
  EXPECT_EQ(study.tables[0].data.shape(), (Shape{2, 3}));
  EXPECT_EQ(study.tables[0].data.unlisted(), Unlisted::zero);
  EXPECT_EQ(study.tables[1].data.shape(), (Shape{3, 2}));
  EXPECT_EQ(study.tables[1].data.cells()(0, 0), 2u);
  EXPECT_EQ(divergence_name(study.tables[1].divergence), divergence_name(beta_divergence(0)));
  EXPECT_EQ(study.tables[1].weight, 0.5);
  EXPECT_EQ(study.tables[1].data.unlisted(), Unlisted::missing);
  EXPECT_EQ(study.priors, (std::vector<std::optional<GammaPrior>>(3, GammaPrior{2, 3})));
}

TEST_F(ReadStudy, CpRelationsShareALatentIndex) {
  const Coupled model = read(kTwoTables).model;
  EXPECT_EQ(formula(model, model.products[0]), "visits[user,place] = user[user,k] place[place,k]");
  EXPECT_EQ(formula(model, model.products[1]), "traits[place,trait] = place[place,k] trait[trait,k]");
}

TEST_F(ReadStudy, TuckerRelationsGiveTheirIndicesToOthers) {
  const Coupled model = read(R"(
entities = ["a", "b", "c"]
rank = 2
[sizes]
k_b = 3
[[relations]]
name = "Y"
file = "plain.tns"
entities = ["b", "c"]
[[relations]]
name = "X"
file = "plain.tns"
entities = ["a", "b"]
model = "tucker"
)")
                            .model;
  EXPECT_EQ(formula(model, model.products[1]), "X[a,b] = a[a,k_a] b[b,k_b] X_core[k_a,k_b]");
  EXPECT_EQ(formula(model, model.products[0]), "Y[b,c] = b[b,k_b] c[c,k_b]");
  EXPECT_EQ(model.axes[static_cast<std::size_t>(model.factors.back().axes.back())].size, 3u);
}

TEST_F(ReadStudy, FormulasNameIndicesAndFactors) {
  const StudyFile file = this->file(R"(
title = "A study"
entities = ["a", "b"]
[sizes]
k = 2
a = 7
[priors]
U = { shape = 5 }
[[relations]]
formula = "X[i,j] = U[i,k] * V[j,k]"
file = "plain.tns"
entities = ["a", "b"]
values = "binary"
[[relations]]
formula = "y[i] = U[i,k] w[k]"
file = "column.tns"
entities = ["a"]
p = 1.5
)");
  EXPECT_EQ(file.title, "A study");
  const Study study = read_tables(file);
  EXPECT_EQ(study.model.products[1].name, "y");
  EXPECT_EQ(study.tables[0].data.shape(), (Shape{7, 3}));
  EXPECT_EQ(study.tables[0].data.values()[0], 1);
  EXPECT_EQ(study.tables[1].data.shape(), (Shape{7, 1}));
  EXPECT_EQ(divergence_name(study.tables[1].divergence), divergence_name(beta_divergence(1.5)));
  EXPECT_EQ(study.priors[0], (GammaPrior{5, 1}));
  EXPECT_FALSE(study.priors[1]);
}

TEST_F(ReadStudy, DroppedPositionsAreLeftOutAndOthersMoveUp) {
  const StudyFile file = this->file(R"(
entities = ["a", "b"]
rank = 1
inference = "als"
prior = { variance = 2 }
[priors]
b = { variance = 3 }
[[relations]]
name = "X"
file = "negative.tns"
entities = ["a", "b"]
divergence = "euclidean"
drop = [1, 2]
)");
  const Study study = read_tables(file);
  const SparseTensor& data = study.tables[0].data;
  EXPECT_EQ(data.shape(), (Shape{2, 1}));
  ASSERT_EQ(data.size(), 1u);
  EXPECT_EQ(data.values()[0], -1);
  EXPECT_EQ(file.inference, "als");
  EXPECT_EQ(study.normal_prior(0), NormalPrior{2});
  EXPECT_EQ(study.normal_prior(1), NormalPrior{3});
  EXPECT_FALSE(study.is_positive());
}

TEST_F(ReadStudy, MoreCellsOfARelationAreReadAsItsOwnFileIs) {
  folder_.write("x.tns", "1 1 9\n1 2 1\n2 3 7\n");
  const StudyFile file = read_study(folder_.write("study.toml", R"(
entities = ["user", "place"]
rank = 1
[[relations]]
name = "X"
file = "x.tns"
entities = ["user", "place"]
values = "log"
drop = [1]
)"));
  const Dataset cells =
      read_cells_of(file, read_tables(file), 0, folder_.write("test.tns", "2 2 3\n1 3 0\n2 1 5\n"), {});
  const SparseTensor tensor = observed(cells);
  ASSERT_EQ(tensor.size(), 2u);  // the dropped position has none
  EXPECT_EQ(tensor.shape().text(), "2x2");
  for (std::size_t entry = 0; entry < 2; ++entry) {
    const bool first = tensor.column(0)[entry] == 1;
    EXPECT_EQ(tensor.column(1)[entry], first ? 0u : 1u);
    EXPECT_FLOAT_EQ(tensor.values()[entry], first ? std::log(4.0f) : 0);
  }
}

TEST_F(ReadStudy, ChangesGoBeforeWhatTheFileSays) {
  write("study.toml", kTwoTables);
  const std::string path = folder_ / "study.toml";
  write("study.toml", std::string(kTwoTables) + "[sizes]\nuser = 7\n");
  const Study alone = read_tables(read_study(
      path, {.only = "traits", .rank = 5, .divergence = beta_divergence(1.5), .prior = GammaPrior{0.5, 10}}));
  ASSERT_EQ(alone.tables.size(), 1u);
  EXPECT_EQ(alone.model.products[0].name, "traits");
  EXPECT_EQ(alone.model.axes.back().size, 5u);
  EXPECT_EQ(divergence_name(alone.tables[0].divergence), divergence_name(beta_divergence(1.5)));
  EXPECT_EQ(alone.priors, (std::vector<std::optional<GammaPrior>>(2, GammaPrior{0.5, 10})));
  EXPECT_THROW(read_study(path, {.only = "taxes"}), UsageError);
  const std::string error = message_of([&] { read_tables(read_study(path, {.tables = "/nowhere"})); });
  EXPECT_NE(error.find("/nowhere/visits.csv"), std::string::npos) << error;
}

std::string one_relation(const std::string& rest) {
  return "entities = [\"a\", \"b\"]\nrank = 1\n[[relations]]\nname = \"X\"\nfile = \"plain.tns\"\n" + rest;
}

TEST_F(ReadStudy, ErrorsNameTheLineAndWhatHelps) {
  const std::string dropping = error_of(one_relation("entities = [\"a\", \"b\"]\ndrop = [4]"));
  EXPECT_TRUE(dropping.ends_with("drop names position 4, which is outside 1..3")) << dropping;
  EXPECT_EQ(error_of(one_relation("entities = [\"a\", \"bb\"]")),
            ":3: relation X: 'bb' is not among the entities; there is: a, b");
  EXPECT_EQ(error_of(one_relation("entities = [\"a\", \"b\"]\nwieght = 2")).substr(0, 54),
            ":7: 'wieght' means nothing here (did you mean 'weight'");
  EXPECT_NE(error_of(one_relation("entities = [\"a\", \"b\"]\ndivergence = \"kll\"")).find(":7: "),
            std::string::npos);
  EXPECT_NE(error_of(one_relation("entities = [\"a\"]")).find("has 2 modes, but the relation has 1 entities"),
            std::string::npos);
  EXPECT_NE(
      error_of(one_relation("entities = [\"a\", \"a\"]")).find(":3: entity a occurs twice in relation X"),
      std::string::npos);
  EXPECT_NE(error_of("entities = [\"a\"]\n").find("at least one [[relations]]"), std::string::npos);
}

std::string with_formula(const std::string& formula) {
  return "entities = [\"a\", \"b\"]\nrank = 1\n[[relations]]\nfile = \"plain.tns\"\nentities = [\"a\", "
         "\"b\"]\nformula = \"" +
         formula + "\"\n";
}

TEST_F(ReadStudy, ErrorsInFormulasNameTheCharacter) {
  EXPECT_NE(error_of(with_formula("X[u,u] = U[u,k]")).find("character 6: index letter u is used twice in X"),
            std::string::npos);
  EXPECT_NE(error_of(with_formula("X[u,v] = U[u,k V[v,k]")).find("character 16: ']' is expected"),
            std::string::npos);
  EXPECT_NE(error_of(with_formula("X[u,v] = U[u,k] V[k,v]"))
                .find(":3: factor V[k,v]: indices of entities come before"),
            std::string::npos);
  EXPECT_NE(error_of(with_formula("X[u,v] = U[u,k]")).find("index v is in none of its factors"),
            std::string::npos);
}

TEST_F(ReadStudy, ErrorsOfTheDataNameTheTable) {
  std::string text = one_relation("entities = [\"a\", \"b\"]");
  text.replace(text.find("plain.tns"), 9, "negative.tns");
  EXPECT_NE(error_of(text).find("negative.tns: a 2, b 3 is -1, and divergence kl"), std::string::npos);
  EXPECT_NE(
      error_of(one_relation("entities = [\"a\", \"b\"]\ndivergence = \"itakura-saito\"\nunlisted = \"zero\""))
          .find("unlisted cells are zeros"),
      std::string::npos);
  EXPECT_NE(
      error_of("entities = [\"a\", \"b\"]\nrank = 1\n[sizes]\nb = 2\n[[relations]]\nname = \"X\"\nfile = "
               "\"plain.tns\"\nentities = [\"a\", \"b\"]")
          .find("b has 3 positions here, but 2 in [sizes]"),
      std::string::npos);
  EXPECT_NE(
      error_of(
          "entities = [\"a\", \"b\"]\n[[relations]]\nname = \"X\"\nfile = \"plain.tns\"\nentities = [\"a\", "
          "\"b\"]")
          .find("latent index k has no size"),
      std::string::npos);
}

// Errors of tables name the key that does what they propose, not an option of the command.
TEST_F(ReadStudy, ErrorsOfTablesNameKeys) {
  const auto study = [](const std::string& keys) {
    return "entities = [\"user\", \"place\"]\nrank = 1\n[[relations]]\nname = \"x\"\nentities = [\"user\", "
           "\"place\"]\n" +
           keys;
  };
  write("table.dat", "1 1 2\n1 1 3\n");
  EXPECT_NE(error_of(study("file = \"table.dat\"\n")).find("(key format)"), std::string::npos);
  EXPECT_NE(error_of(study("file = \"table.dat\"\nformat = \"tns\"\n")).find("(key duplicates"),
            std::string::npos);
  EXPECT_EQ(error_of(study("file = \"table.dat\"\nformat = \"tns\"\nduplicates = \"sum\"\n")), "");
}

}  // namespace
}  // namespace tulle
