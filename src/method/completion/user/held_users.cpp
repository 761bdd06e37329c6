#include "held_users.hpp"

namespace tulle {

std::vector<UserChunk> chunks_of_users(const UserCells& data, std::size_t first, std::size_t last,
                                       const HeldSizes& sizes, std::size_t numbers) {
  std::vector<UserChunk> chunks;
  for (std::size_t user = first; user < last;) {
    UserChunk chunk{user, user, data.begin(user), data.begin(user)};
    while (user < last && sizes.numbers(chunk) < numbers) {
      chunk.last_cell = data.end(user);
      chunk.last_user = ++user;
    }
    chunks.push_back(chunk);
  }
  return chunks;
}

}  // namespace tulle
