// A release of sums over all documents, wherever they are.
#pragma once

#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>
#include <tulle/method/topics.hpp>

#include <string>
#include <type_traits>

namespace tulle {

// By a secure sum of all sites.
inline Curator::AddUp added_up(const TopicRequest& request) {
  return [&request](const std::vector<std::vector<std::uint64_t>>& parts) {
    const int sites = static_cast<int>(parts.size());
    return embedded_sum({.parties = sites, .threshold = sites, .colluding = request.colluding}, parts).values;
  };
}

// The query is given the documents, or the rows, of one site and answers with numbers that add up over sites.
template <class Query>
Noisy release_sum(const TopicRequest& request, Curator& curator, const AdditiveNoise& noise, std::string what,
                  Query&& query) {
  return std::visit(
      [&]<class Data>(const std::vector<Protected<Data>>& sites) -> Noisy {
        if constexpr (std::is_invocable_v<Query, const Data&>)
          return request.several_sites()
                     ? curator.release_shared(sites, noise, request.colluding, what, query, added_up(request))
                     : curator.release(sites.front(), noise, what, query);
        else
          fail("{}: asked of data of another kind", what);
      },
      request.sites);
}

}  // namespace tulle
