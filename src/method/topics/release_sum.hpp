// A release of sums over all documents, wherever they are.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/method/topics.hpp>

#include <string>
#include <type_traits>

namespace tulle {

// The query is given the documents, or the rows, of one site and answers with numbers that add up over sites.
template <class Query>
Noisy release_sum(const TopicRequest& request, Curator& curator, const AdditiveNoise& noise, std::string what,
                  Query&& query) {
  return std::visit(
      [&]<class Data>(const std::vector<Protected<Data>>& sites) -> Noisy {
        if constexpr (std::is_invocable_v<Query, const Data&>)
          return curator.release(sites.front(), noise, what, query);
        else
          fail("{}: asked of data of another kind", what);
      },
      request.sites);
}

}  // namespace tulle
