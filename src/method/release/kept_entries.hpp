// Entries at public positions, and their release: all of them, or at most so many of every user. The others
// are dropped, by a choice that looks at positions alone.
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

// Of units that are single entries.
KeptEntries keep_all(const Cells& cells);

// Of each user's entries the `limit` with the least hashes, so that which these are follows from her own
// cells and the key, whatever other users there are; without a limit, all are kept. With a random key every
// choice of `limit` entries of a user is equally likely. Where sites show each other what they kept, the key
// must be each site's own secret: whoever knew it could try which names fit the kept cells.
KeptEntries keep_entries(const Cells& cells, int user_mode, std::optional<int> limit,
                         const NameHashes& hashes);

// Those of a request: at most as many per user as the setting entries-per-user says, or `otherwise`. A
// UsageError where a limit is given for single entries.
KeptEntries entries_that_count(const PrivateRequest& request, std::optional<int> otherwise = {});

// Of the cells that were kept, what the curator releases of their values; rounded to whole numbers before,
// where asked. Under replace a unit changes its own entries inside their range and no others: `noise` must
// protect `most` values that change by the width of the range.
Release release_kept(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                     const KeptEntries& kept, bool whole_numbers = false);
// The same as a tensor.
SparseTensor release_entries(const PrivateRequest& request, Curator& curator, const AdditiveNoise& noise,
                             const KeptEntries& kept, bool whole_numbers = false);

}  // namespace tulle
