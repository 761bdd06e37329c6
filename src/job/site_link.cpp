#include <tulle/job/site_link.hpp>

namespace tulle {

SumTerms sum_terms(const Sites& stated, int sites) {
  const SumTerms terms{.parties = sites,
                       .threshold = stated.threshold == 0 ? sites : stated.threshold,
                       .colluding = stated.colluding,
                       .server = stated.server};
  check_sum_terms(terms);
  return terms;
}

Curator::SiteLink link_over(Party& party, const SumTerms& terms, int overlap) {
  return {{.sites = static_cast<std::size_t>(terms.parties),
           .colluding = terms.colluding,
           .fewest = terms.threshold,
           .overlap = overlap,
           .server = terms.server},
          [&party](const std::vector<std::uint64_t>& own) -> Curator::SiteTotal {
            SumTotal total = party.sum(own);
            return {std::move(total.values), static_cast<std::size_t>(total.parties)};
          },
          party.rank(),
          [&party](const Bytes& own) {
            std::vector<Bytes> all;
            for (int from = 0; from < party.size(); ++from)
              all.push_back(party.broadcast(from == party.rank() ? own : Bytes(), from));
            return all;
          }};
}

RandomBits bits_of_site(RandomBits& all, int site) {
  for (int before = 0; before < site; ++before) static_cast<void>(all.split());
  return all.split();
}

}  // namespace tulle
