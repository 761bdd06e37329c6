#include "structure.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/suggestion.hpp>

#include <algorithm>

namespace tulle {
namespace {

// Expands short forms to formulas. Factors are named after their entities. In a Tucker model every entity has
// a latent index of its own, and a core joins them; in a CP model all entities share one: that of a Tucker
// model if an entity has an index there.
class ShortForms {
 public:
  void write(std::vector<StudyFile::Relation>& relations) {
    for (StudyFile::Relation& relation : relations)
      if (relation.model == "tucker") write_tucker(relation);
    // Relations with an entity that already has an index come first; they may determine others.
    for (bool progress = true; progress;) {
      progress = false;
      for (StudyFile::Relation& relation : relations)
        if (relation.formula.empty() && !shared_index(relation).empty()) {
          write_cp(relation, shared_index(relation));
          progress = true;
        }
      const auto open = std::ranges::find_if(relations, [](const auto& r) { return r.formula.empty(); });
      if (!progress && open != relations.end()) {
        write_cp(*open, indices_ == 0 ? "k" : fmt::format("k{}", indices_ + 1));
        ++indices_;
        progress = true;
      }
    }
  }

 private:
  static std::string left(const StudyFile::Relation& relation) {
    return fmt::format("{}[{}] =", relation.name, fmt::join(relation.entities, ","));
  }

  static void refuse_twice(const StudyFile::Relation& relation) {
    for (const std::string& entity : relation.entities)
      if (std::ranges::count(relation.entities, entity) > 1)
        fail(
            "{}: entity {} occurs twice in relation {}; give formulas, with an index letter and a factor for "
            "each",
            relation.where, entity, relation.name);
  }

  void write_tucker(StudyFile::Relation& relation) {
    refuse_twice(relation);
    relation.formula = left(relation);
    std::vector<std::string> core;
    for (const std::string& entity : relation.entities) {
      index_of_[entity] = "k_" + entity;
      core.push_back(index_of_[entity]);
      relation.formula += fmt::format(" {}[{},{}]", entity, entity, core.back());
    }
    relation.formula += fmt::format(" {}_core[{}]", relation.name, fmt::join(core, ","));
  }

  std::string shared_index(const StudyFile::Relation& relation) const {
    for (const std::string& entity : relation.entities)
      if (const auto found = index_of_.find(entity); found != index_of_.end()) return found->second;
    return "";
  }

  void write_cp(StudyFile::Relation& relation, const std::string& index) {
    refuse_twice(relation);
    relation.formula = left(relation);
    for (const std::string& entity : relation.entities) {
      const auto [found, fresh] = index_of_.try_emplace(entity, index);
      if (!fresh && found->second != index)
        fail(
            "{}: relation {}: entities have the latent indices {} and {} from other relations, so a CP model "
            "cannot join them; take tucker, or give formulas",
            relation.where, relation.name, index, found->second);
      relation.formula += fmt::format(" {}[{},{}]", entity, entity, index);
    }
  }

  std::map<std::string, std::string> index_of_;  // the latent index of each entity's factor
  int indices_ = 0;
};

class StructureBuilder {
 public:
  explicit StructureBuilder(const StudyFile& file) : file_(file) {}

  void add(const StudyFile::Relation& relation) {
    const Formula formula = parse_formula(relation.formula, relation.where);
    if (formula.left.letters.size() != relation.entities.size())
      fail(
          "{}: relation {} has entities {}, but its formula has indices {} on the left; give one index for "
          "each",
          relation.where, relation.name, fmt::join(relation.entities, ", "),
          fmt::join(formula.left.letters, ", "));
    Product product{relation.name, {}, {}};
    for (std::size_t i = 0; i < relation.entities.size(); ++i)
      product.axes.push_back(axis_of(formula.left.letters[i], relation.entities[i], relation));
    for (const Term& term : formula.factors) product.factors.push_back(factor_of(term, product, relation));
    model_.products.push_back(std::move(product));
    check_so_far(relation);
  }

  Coupled finish() && {
    std::vector<std::string> known;
    for (const Axis& axis : model_.axes) known.push_back(axis.latent() ? axis.letter : axis.entity);
    for (const auto& [name, size] : file_.sizes)
      if (!file_.is_partial && std::ranges::find(known, name) == known.end())
        fail("{}: [sizes] names '{}', which is no entity or latent index{}", file_.path, name,
             suggestion(name, known));
    return std::move(model_);
  }

 private:
  void check_so_far(const StudyFile::Relation& relation) const {
    Coupled sized = model_;
    for (Axis& axis : sized.axes)
      axis.size = std::max<Index>(axis.size, 1);  // the sizes of entities are not known yet
    try {
      check(sized, false);
    } catch (const Error& error) {
      fail("{}: {}", relation.where, text_of(error));
    }
  }

  int axis_of(const std::string& letter, const std::string& entity, const StudyFile::Relation& relation) {
    const auto found = std::ranges::find(model_.axes, letter, &Axis::letter);
    if (found == model_.axes.end()) {
      Index size = 0;
      if (entity.empty()) {
        const auto own = file_.sizes.find(letter);
        size = own != file_.sizes.end() ? own->second : file_.rank.value_or(0);
        if (size == 0)
          fail("{}: latent index {} has no size; state rank = N, or {} = N in [sizes]", relation.where,
               letter, letter);
      }
      model_.axes.push_back({letter, entity, size});
      return static_cast<int>(model_.axes.size()) - 1;
    }
    if (found->entity != entity)
      fail("{}: relation {}: index letter {} stands for {} here and for {} elsewhere; take another letter",
           relation.where, relation.name, letter, entity.empty() ? "a latent index" : entity,
           found->latent() ? "a latent index" : found->entity);
    return static_cast<int>(found - model_.axes.begin());
  }

  int factor_of(const Term& term, const Product& product, const StudyFile::Relation& relation) {
    Axes axes;
    for (const std::string& letter : term.letters) {
      const auto visible =
          std::ranges::find_if(product.axes, [&](int a) { return model_.axes[a].letter == letter; });
      axes.push_back(visible != product.axes.end() ? *visible : axis_of(letter, "", relation));
    }
    const auto found = std::ranges::find(model_.factors, term.name, &Factor::name);
    if (found == model_.factors.end()) {
      model_.factors.push_back({term.name, axes, {}});
      return static_cast<int>(model_.factors.size()) - 1;
    }
    if (found->axes != axes)
      fail(
          "{}: relation {}: factor {} has other indices here than elsewhere; a factor is the same array in "
          "all relations",
          relation.where, relation.name, term.name);
    return static_cast<int>(found - model_.factors.begin());
  }

  const StudyFile& file_;
  Coupled model_;
};

}  // namespace

Coupled structure_of(const StudyFile& file) {
  std::vector<StudyFile::Relation> relations = file.relations;
  const auto short_forms = std::ranges::count_if(relations, [](const auto& r) { return r.formula.empty(); });
  if (short_forms > 0 && short_forms < std::ssize(relations))
    fail(
        "{}: some relations have a formula and others a model by its name; give formulas for all or for none",
        file.path);
  if (short_forms > 0) ShortForms().write(relations);
  StructureBuilder builder(file);
  for (const StudyFile::Relation& relation : relations) builder.add(relation);
  return std::move(builder).finish();
}

}  // namespace tulle
