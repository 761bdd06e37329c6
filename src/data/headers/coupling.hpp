// Several relations of the same users in one tensor, and public tables beside them.
//
// The modes of the tensor are the entities of all relations and, where there are several relations, the
// relation. A mode has one position more, the last, if a relation lacks the entity: all cells of that
// relation are there. Rows of such positions, and of the relations, are 1 in every column, so that relation r
// has the CP model of its own entities S_r (ermis2020, 4.2.1):
//   x = level_r + scale sum_k prod_{d in S_r} theta_d[i_d, k].
#pragma once

#include <tulle/tensor/sparse.hpp>

#include <span>
#include <string>
#include <vector>

namespace tulle {

// How the relation's mode is called, and the position of cells whose relation lacks the entity.
inline constexpr const char* kRelationMode = "relation";
inline constexpr const char* kLackedPosition = "(none)";

// Data without users, known to all.
struct PublicTable {
  static constexpr int kOwn = -1;

  std::string name;
  SparseTensor cells;      // values as they are
  std::vector<int> modes;  // one per mode of the table: the mode of the tensor, or kOwn, once
  int own_mode() const;    // of the table
};

struct Coupling {
  struct Relation {
    std::string name;
    std::vector<int> modes;  // of the tensor, in the order of the relation's entities
  };

  std::vector<std::uint64_t> sizes;  // of the entities, as far as they have rows of their own
  std::vector<Relation> relations;
  std::vector<PublicTable> tables = {};
  // Rows of an entity that are those of the site which has the tensor.
  struct Local {
    int entity;
    Index first, count;
  };
  std::vector<Local> local = {};

  bool several() const { return relations.size() > 1; }
  int relation_mode() const { return static_cast<int>(sizes.size()); }  // where there are several
  bool is_lacked(int entity) const;                                     // by some relation
  // Of the tensor, for so many users.
  Shape shape(int user_mode, std::uint64_t users) const;
};

// Adds the cells of a relation, with these values, to the tensor.
void append_stacked(SparseTensor& tensor, const Coupling& coupling, std::size_t relation,
                    const SparseTensor& cells);

}  // namespace tulle
