// What an adversary does in the games of malicious_hub.hpp.
#pragma once

#include "exchange/malicious_hub.hpp"

namespace tulle::malice {

// A colluding site announces an honest one's mask key in one of its forms, to all sites alike.
struct CopiedKey : Strategy {
  int copier, of;
  std::function<PublicKey(const PublicKey&)> form;

  CopiedKey(int by, int from, std::function<PublicKey(const PublicKey&)> as)
      : copier(by), of(from), form(std::move(as)) {}
  std::map<int, KeyNotice> keys(Game& game, int to) override {
    std::map<int, KeyNotice> keys = Strategy::keys(game, to);
    keys[copier].mask_key = form(game.told(of).notice.mask_key);
    return keys;
  }
};

// All sites are shown a key that anybody knows in place of an honest site's.
struct SwappedKey : Strategy {
  int victim;

  explicit SwappedKey(int site) : victim(site) {}
  std::map<int, KeyNotice> keys(Game& game, int to) override {
    std::map<int, KeyNotice> keys = Strategy::keys(game, to);
    keys[victim].mask_key = other_.public_key();
    return keys;
  }

 private:
  KeyPair other_{Secret()};
};

// Every honest site is told lists of its own.
struct ListsPerSite : Strategy {
  std::map<int, std::set<int>> shared, in_the_sum;

  std::set<int> sharing(Game& game, int to) override {
    std::set<int> own;
    std::ranges::set_intersection(Strategy::sharing(game, to), shared.at(to), std::inserter(own, own.end()));
    return own;
  }
  std::set<int> survivors(Game&, int to) override { return in_the_sum.at(to); }
};

// Honest sites are told of sums that overlap. The first threshold - colluding - 1 of them are in every list;
// each of the others is in its own list and in those of few of the first. Where each site answered its own
// list, the seeds of the first and the mask keys of the others would become known, and with them a sum over
// fewer honest sites than the guarantee counts on. A site gets the confirmations that fit its list, or one
// from everybody on it, forged where there is none.
struct OverlappingSums : Strategy {
  std::map<int, std::set<int>> in_the_sum;
  bool forges;

  OverlappingSums(const SumTerms& terms, const std::set<int>& colluding, bool all_confirm)
      : forges(all_confirm) {
    std::vector<int> honest;
    for (int site = 0; site < terms.parties; ++site)
      if (!colluding.contains(site)) honest.push_back(site);
    const auto always = static_cast<std::size_t>(terms.threshold - static_cast<int>(colluding.size()) - 1);
    std::set<int> all_have = colluding;
    all_have.insert(honest.begin(), honest.begin() + static_cast<std::ptrdiff_t>(always));
    for (std::size_t i = 0; i < honest.size(); ++i) {
      in_the_sum[honest[i]] = all_have;
      in_the_sum[honest[i]].insert(i < always ? honest[honest.size() - 1 - i % (honest.size() - always)]
                                              : honest[i]);
    }
  }
  std::set<int> survivors(Game&, int to) override { return in_the_sum.at(to); }
  std::set<int> confirmed(Game& game, int to) override {
    std::set<int> sites = in_the_sum.at(to);
    if (!forges) {
      sites = Strategy::confirmed(game, to);
      std::erase_if(sites, [&](int site) {
        return !game.colluding().contains(site) && in_the_sum.at(site) != in_the_sum.at(to);
      });
    }
    sites.erase(to);
    return sites;
  }
  PublicKey confirmation(Game& game, int from, int to) override {
    return game.colluding().contains(from) || game.told(from).confirmations.contains(to)
               ? Strategy::confirmation(game, from, to)
               : PublicKey{};
  }
};

// One honest site is lied to. The others confirm to each other a sum that it is in.
struct OneVictim : Strategy {
  int victim;

  explicit OneVictim(int site) : victim(site) {}
  std::set<int> confirmed(Game& game, int to) override {
    std::set<int> sites = Strategy::confirmed(game, to);
    sites.erase(victim);
    return sites;
  }
};

// It gets the shares of colluding sites alone, who know its masks with them.
struct FewSharers : OneVictim {
  using OneVictim::OneVictim;
  std::set<int> sharing(Game& game, int to) override {
    return to == victim ? game.colluding() : OneVictim::sharing(game, to);
  }
};

// It sends its numbers, and the others are told that it did not: they reveal its mask key, so that its self-
// mask alone hides them.
struct LeftOut : OneVictim {
  using OneVictim::OneVictim;
  std::set<int> survivors(Game& game, int to) override {
    std::set<int> sites = OneVictim::survivors(game, to);
    if (to != victim) sites.erase(victim);
    return sites;
  }
};

// It is shown keys of the adversary's in place of those of as many honest sites as it needs for a sum, and
// gets no shares of the other honest ones: fresh keys, or the identity key of a colluding site for one.
struct FalseKeys : OneVictim {
  bool identity;

  FalseKeys(int site, bool shows_identity) : OneVictim(site), identity(shows_identity) {}
  std::map<int, KeyNotice> keys(Game& game, int to) override {
    std::map<int, KeyNotice> keys = OneVictim::keys(game, to);
    if (to != victim) return keys;
    bool shows_identity = identity && !game.colluding().empty();
    for (int site : in_the_others_place(game)) {
      const KeyPair& key =
          shows_identity ? game.own_identity(*game.colluding().begin(), to) : game.fresh(site);
      keys[site].mask_key = key.public_key();
      shows_identity = false;
    }
    return keys;
  }
  std::set<int> sharing(Game& game, int to) override {
    if (to != victim) return OneVictim::sharing(game, to);
    std::set<int> sites = in_the_others_place(game);
    sites.insert(game.colluding().begin(), game.colluding().end());
    return sites;
  }
  std::set<int> survivors(Game& game, int to) override {
    if (to != victim) return OneVictim::survivors(game, to);
    std::set<int> sites = sharing(game, to);
    sites.insert(to);
    return sites;
  }

 private:
  std::set<int> in_the_others_place(const Game& game) const {
    std::set<int> sites;
    for (int site : game.honest_sites())
      if (site != victim &&
          static_cast<int>(sites.size() + game.colluding().size()) + 1 < game.terms().threshold)
        sites.insert(site);
    return sites;
  }
};

// It gets another total than the others, and no other lie.
struct FalseTotal : Strategy {
  int victim;

  explicit FalseTotal(int site) : victim(site) {}
  std::uint64_t total(Game&, int to) override { return to == victim; }
};

// It is shown other identity keys of the colluding sites than the others, so that its session is another one,
// and no other lie.
struct OtherIdentities : Strategy {
  int victim;

  explicit OtherIdentities(int site) : victim(site) {}
  PublicKey identity(Game& game, int of, int to) override {
    return to == victim ? game.fresh(of).public_key() : Strategy::identity(game, of, to);
  }
};

// Lies at random places: each thing that is said is false in one of `rate` cases.
struct RandomLies : Strategy {
  std::uint64_t rate;

  explicit RandomLies(std::uint64_t one_in) : rate(one_in) {}

  PublicKey identity(Game& game, int of, int to) override {
    return lies(game) ? any_key(game, to) : Strategy::identity(game, of, to);
  }
  std::map<int, KeyNotice> keys(Game& game, int to) override {
    if (common_.first != game.round())
      common_ = {game.round(), falsified(game, Strategy::keys(game, to), to)};
    return falsified(game, common_.second, to);
  }
  std::set<int> sharing(Game& game, int to) override {
    std::set<int> sites = varied(game, Strategy::sharing(game, to), game.told(to).keys, to);
    sites.erase(to);
    return sites;
  }
  Bytes box(Game& game, int from, int to) override {
    const auto& boxes = game.told(from).boxes;
    if (boxes.contains(to) && !lies(game)) return boxes.at(to);
    if (game.round() > 1 && game.has_told(from, 1) && lies(game) && game.told(from, 1).boxes.contains(to))
      return game.told(from, 1).boxes.at(to);
    return boxes.empty() ? Bytes(kSealedBytes)
                         : std::next(boxes.begin(), below(game, static_cast<int>(boxes.size())))->second;
  }
  std::set<int> survivors(Game& game, int to) override {
    if (agreed_.first != game.round())
      agreed_ = {game.round(), varied(game, Strategy::survivors(game, to), game.told(to).keys, to)};
    return varied(game, agreed_.second, game.told(to).keys, to);
  }
  std::set<int> confirmed(Game& game, int to) override {
    return varied(game, Strategy::confirmed(game, to), {}, to);
  }
  PublicKey confirmation(Game& game, int from, int to) override {
    if (lies(game)) {  // one that was made for another site, or by another one
      const auto& own = game.told(to).confirmations;
      if (!own.empty()) return std::next(own.begin(), below(game, static_cast<int>(own.size())))->second;
    }
    return Strategy::confirmation(game, from, to);
  }
  std::uint64_t total(Game& game, int) override { return lies(game) ? 1 : 0; }

 private:
  bool lies(Game& game) { return game.random().below(rate) == 0; }
  static int below(Game& game, int end) {
    return static_cast<int>(game.random().below(static_cast<std::uint64_t>(end)));
  }
  template <class Set>
  static auto one_of(Game& game, const Set& set) {
    return *std::next(set.begin(), below(game, static_cast<int>(set.size())));
  }

  // A key of the adversary's own, or one of somebody in one of its forms.
  PublicKey any_key(Game& game, int to) {
    if (below(game, 4) == 0) return game.fresh(below(game, 2 * game.terms().parties)).public_key();
    const int site = one_of(game, game.honest_sites());
    PublicKey key = game.honest().at(site).identity->public_key();
    if (game.round() > 0 && game.has_told(site, game.round()) && below(game, 4) > 0)
      key = game.told(site).notice.mask_key;
    if (game.round() > 1 && game.has_told(to, 1) && below(game, 4) == 0)
      key = game.told(to, 1).notice.mask_key;
    const auto& forms = forms_of_a_key();
    return forms[static_cast<std::size_t>(below(game, static_cast<int>(forms.size())))].second(key);
  }

  std::map<int, KeyNotice> falsified(Game& game, std::map<int, KeyNotice> keys, int to) {
    for (auto& [site, notice] : keys) {
      const bool honest = !game.colluding().contains(site);
      if (!lies(game) || (honest && below(game, 3) > 0)) continue;
      notice.mask_key = any_key(game, to);
      if (below(game, 2) == 0) notice.commitment = game.told(to).notice.commitment;
    }
    const int gone = one_of(game, game.all());
    if (gone != to && lies(game)) keys.erase(gone);
    return keys;
  }

  // With some sites less, or more of those with keys.
  std::set<int> varied(Game& game, std::set<int> sites, const std::map<int, KeyNotice>& more, int to) {
    for (int site : game.all()) {
      if (site == to || !lies(game)) continue;
      if (sites.contains(site))
        sites.erase(site);
      else if (more.contains(site))
        sites.insert(site);
    }
    return sites;
  }

  std::pair<std::uint64_t, std::map<int, KeyNotice>> common_{0, {}};
  std::pair<std::uint64_t, std::set<int>> agreed_{0, {}};
};

}  // namespace tulle::malice
