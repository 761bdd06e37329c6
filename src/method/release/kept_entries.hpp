// Entries at public positions, and their release: all of them, or a limited number of every user's. The
// others are dropped by a choice that depends on positions alone.
#pragma once

#include <tulle/data/name_hashes.hpp>
#include <tulle/method/private_completion.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tulle {

struct KeptEntries {
  std::vector<std::size_t> entries;  // ascending
  std::uint64_t most = 0;            // of one unit
};

// Keeps every entry; units are single entries.
KeptEntries keep_all(const Cells& cells);

// Keeps the `limit` entries of each user with the smallest hashes, so that the choice depends on her own
// cells and the key, not on other users; without a limit, all are kept. With a random key every choice of
// `limit` entries of a user is equally likely. Where sites show each other what they kept, the key must be
// each site's own secret: whoever knew it could try which names fit the kept cells.
KeptEntries keep_entries(const Cells& cells, int user_mode, std::optional<int> limit,
                         const NameHashes& hashes);

// The kept entries of a request: per user, at most the setting entries-per-user, or `otherwise`. A UsageError
// if a limit is given for single entries.
KeptEntries entries_that_count(const PrivateRequest& request, std::optional<int> otherwise = {});

// Releases the values of the kept cells; with `whole_numbers`, rounds them first. Under replace a unit
// changes its own entries inside their range and no others: `noise` must protect `most` values that change by
// the width of the range.
Release release_kept(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                     const KeptEntries& kept, bool whole_numbers = false);
// Releases the same as a tensor.
SparseTensor release_entries(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                             const KeptEntries& kept, bool whole_numbers = false);

}  // namespace tulle
