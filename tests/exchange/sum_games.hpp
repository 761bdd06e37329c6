// Games that look for what can be wrong with a secure sum: each says what it found, or nothing.
#pragma once

#include "exchange/malicious_strategies.hpp"

namespace tulle::malice {

// All terms of so many sites.
inline std::vector<SumTerms> terms_of(int parties) {
  std::vector<SumTerms> all;
  for (int colluding = 0; colluding < parties; ++colluding)
    for (int threshold = 1; threshold <= parties; ++threshold)
      for (bool server : {false, true}) {
        const SumTerms terms{parties, threshold, colluding, {}, server};
        try {
          check_sum_terms(terms);
        } catch (const UsageError&) {
          continue;
        }
        if (colluding > 0 || server) all.push_back(terms);  // else the messages are in honest hands
      }
  return all;
}

// So many sites, the first among them where it carries the messages.
inline std::set<int> some_colluding(const SumTerms& terms, Random& random) {
  std::set<int> sites;
  if (!terms.server) sites.insert(0);
  while (static_cast<int>(sites.size()) < terms.colluding)
    sites.insert(static_cast<int>(random.below(static_cast<std::uint64_t>(terms.parties))));
  return sites;
}

// The first and the last colluding site copy every honest site's key in every form, and every honest site's
// key is swapped.
inline std::string fault_of_copies(int parties) {
  Random random(static_cast<std::uint64_t>(parties), 3);
  for (const SumTerms& terms : terms_of(parties)) {
    const std::set<int> colluding = some_colluding(terms, random);
    for (int of = 0; of < parties; ++of) {
      if (colluding.contains(of) || colluding.empty()) continue;
      SwappedKey swapped(of);
      Game game(terms, colluding, 11, swapped);
      if (std::string fault = game.play(1); !fault.empty()) return "a key is swapped: " + fault;
      for (int copier : {*colluding.begin(), *colluding.rbegin()})
        for (const auto& [name, form] : forms_of_a_key()) {
          CopiedKey copy(copier, of, form);
          Game other(terms, colluding, 12, copy);
          if (std::string fault = other.play(1); !fault.empty())
            return fmt::format("site {} copies the key of site {} {}: {}", copier + 1, of + 1, name, fault);
        }
    }
  }
  return "";
}

struct Tally {
  int games = 0, sums = 0;  // played, and combinations free of masks
};

inline std::string fault_of_random_lies(int parties, int games_each, Tally& tally) {
  Random random(static_cast<std::uint64_t>(parties), 4);
  for (const SumTerms& terms : terms_of(parties))
    for (int number = 0; number < games_each; ++number) {
      RandomLies lies(std::uint64_t{4} << (2 * (number % 4)));  // a lie in 4, 16, 64 or 256
      const std::uint64_t seed = static_cast<std::uint64_t>(1000 * parties + number);
      Game game(terms, some_colluding(terms, random), seed, lies);
      if (std::string fault = game.play(2); !fault.empty()) return fault;
      ++tally.games;
      tally.sums += game.complete_sums();
    }
  return "";
}

// All ways, or one in so many, to tell each honest site who shared and who is in the sum: each list has the
// threshold, and the site itself in it.
inline std::string fault_of_lists(const SumTerms& terms, const std::set<int>& colluding, std::size_t each,
                                  Tally& tally) {
  std::vector<std::vector<std::set<int>>> lists;
  std::vector<int> honest;
  for (int site = 0; site < terms.parties; ++site) {
    if (colluding.contains(site)) continue;
    honest.push_back(site);
    std::vector<std::set<int>> own;
    for (unsigned bits = 0; bits < 1u << terms.parties; ++bits) {
      std::set<int> sites;
      for (int other = 0; other < terms.parties; ++other)
        if (bits >> other & 1) sites.insert(other);
      if (sites.contains(site) && static_cast<int>(sites.size()) >= terms.threshold) own.push_back(sites);
    }
    lists.push_back(own);
  }
  std::size_t ways = 1;
  for (const auto& own : lists) ways *= own.size() * own.size();
  for (std::size_t way = 0; way < ways; way += each) {
    ListsPerSite told;
    std::size_t rest = way;
    for (std::size_t i = 0; i < honest.size(); ++i) {
      told.shared[honest[i]] = lists[i][rest % lists[i].size()];
      rest /= lists[i].size();
      told.in_the_sum[honest[i]] = lists[i][rest % lists[i].size()];
      rest /= lists[i].size();
    }
    Game game(terms, colluding, 21, told);
    if (std::string fault = game.play(1); !fault.empty()) return fault;
    ++tally.games;
    tally.sums += game.complete_sums();
  }
  return "";
}

// One that is lied to, of those who are honest.
inline int some_victim(const SumTerms& terms, const std::set<int>& colluding, Random& random) {
  for (;;) {
    const auto site = static_cast<int>(random.below(static_cast<std::uint64_t>(terms.parties)));
    if (!colluding.contains(site)) return site;
  }
}

// Plays what `lie` makes of the terms, of who colludes and of one honest site, under all terms of so many
// sites.
template <class Lie>
std::string fault_of_lie(int parties, int rounds, Lie&& lie) {
  Random random(static_cast<std::uint64_t>(parties), 5);
  for (const SumTerms& terms : terms_of(parties)) {
    const std::set<int> colluding = some_colluding(terms, random);
    auto strategy = lie(terms, colluding, some_victim(terms, colluding, random));
    Game game(terms, colluding, 41, strategy);
    if (std::string fault = game.play(rounds); !fault.empty()) return fault;
  }
  return "";
}

inline std::string fault_of_overlapping_sums(int parties) {
  for (bool forged : {false, true}) {
    const std::string fault =
        fault_of_lie(parties, 1, [&](const SumTerms& terms, const std::set<int>& colluding, int) {
          return OverlappingSums(terms, colluding, forged);
        });
    if (!fault.empty())
      return fmt::format("sums that overlap, {} confirmations: {}", forged ? "forged" : "matching", fault);
  }
  return "";
}

inline std::string fault_of_few_sharers(int parties) {
  const std::string fault =
      fault_of_lie(parties, 1, [](const auto&, const auto&, int victim) { return FewSharers(victim); });
  return fault.empty() ? "" : "few share with a site: " + fault;
}

inline std::string fault_of_leaving_out(int parties) {
  const std::string fault =
      fault_of_lie(parties, 1, [](const auto&, const auto&, int victim) { return LeftOut(victim); });
  return fault.empty() ? "" : "a site is left out: " + fault;
}

inline std::string fault_of_false_keys(int parties) {
  for (bool identity : {false, true}) {
    const std::string fault = fault_of_lie(
        parties, 1, [&](const auto&, const auto&, int victim) { return FalseKeys(victim, identity); });
    if (!fault.empty()) return "a site is shown false keys: " + fault;
  }
  return "";
}

inline std::string fault_of_false_totals(int parties) {
  const std::string fault =
      fault_of_lie(parties, 2, [](const auto&, const auto&, int victim) { return FalseTotal(victim); });
  return fault.empty() ? "" : "a site is told another total: " + fault;
}

inline std::string fault_of_other_identities(int parties) {
  const std::string fault =
      fault_of_lie(parties, 1, [](const auto&, const auto&, int victim) { return OtherIdentities(victim); });
  return fault.empty() ? "" : "a site is shown other identity keys: " + fault;
}

// Where all tell the truth, all have the sum.
inline std::string fault_of_honest_sums() {
  for (int parties = 2; parties <= 5; ++parties) {
    std::vector<Numbers> parts;
    Numbers expected(kNumbers);
    for (int site = 0; site < parties; ++site) {
      parts.emplace_back(kNumbers, std::uint64_t{1} << site);
      for (std::uint64_t& number : expected) number += std::uint64_t{1} << site;
    }
    Strategy honest;
    Game game({parties, parties, 1}, {0}, 31, honest);
    if (std::string fault = game.play(2); !fault.empty()) return fault;
    if (game.complete_sums() != 2) return "honest sites get no sum";
  }
  return "";
}

}  // namespace tulle::malice
