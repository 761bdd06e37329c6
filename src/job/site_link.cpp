#include <tulle/base/error.hpp>
#include <tulle/job/site_link.hpp>

namespace tulle {
namespace {

std::string text_of(const SumTerms& terms) {
  return fmt::format("{} sites{}, threshold {}, {} may collude", terms.parties,
                     terms.server ? " with a server" : "", terms.threshold, terms.colluding);
}

// Noise that is shared out by other terms than those of the sums would count on more honest sites than these
// hide a site among.
void check_same(const SumTerms& stated, const SumTerms& added) {
  if (text_of(stated) != text_of(added))
    fail_usage("a run over {}, whose parties add up as {}; state the same for both", text_of(stated),
               text_of(added));
}

}  // namespace

SumTerms sum_terms(const Sites& stated, int sites) {
  const SumTerms terms{.parties = sites,
                       .threshold = stated.threshold == 0 ? sites : stated.threshold,
                       .colluding = stated.colluding,
                       .server = stated.server};
  check_sum_terms(terms);
  return terms;
}

Curator::SiteLink link_over(Party& party, const SumTerms& terms, int overlap) {
  check_same(terms, party.terms());
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

RandomBits bits_of_site(const Terms& terms, int site) {
  if (!terms.seed) return RandomBits::secure();
  RandomBits all = RandomBits::seeded(*terms.seed);
  return bits_of_site(all, site);
}

}  // namespace tulle
