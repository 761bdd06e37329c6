// The positions of entities that the tables of a study name or number.
#pragma once

#include <tulle/tensor/dataset.hpp>

#include <map>
#include <optional>
#include <unordered_map>

namespace tulle {

class EntityPositions {
 public:
  EntityPositions(std::vector<std::string> names, const std::map<std::string, Index>& sizes);

  int number_of(const std::string& entity) const;  // -1 if there is none

  // The cells of a table whose modes are the given entities, with the positions that all tables share.
  // `is_exact`: the table's shape states the sizes of the entities, not the largest positions. Throws an
  // Error, which begins with `where`, if sizes or names of positions contradict those of other tables.
  Cells add(const Dataset& data, const Cells& cells, const std::vector<int>& entities, bool is_exact,
            const std::string& where);

  Index size(int entity) const;
  std::vector<Mode> modes() const;

 private:
  struct Entity {
    std::optional<Index> exact;  // as stated, or from the shape of an array
    std::string said_by;
    Index largest = 0;
    std::vector<std::string> labels;
    std::unordered_map<std::string, Index> position_of;
  };

  std::vector<Index> looked_up(Entity& entity, const std::string& name,
                               const std::vector<std::string>& labels, const std::string& where);
  void check_size(Entity& entity, const std::string& name, Index size, bool is_exact,
                  const std::string& where);

  std::vector<std::string> names_;
  std::vector<Entity> entities_;
};

}  // namespace tulle
