// Topics of documents at several sites, none of which shows another a sum of its own: every site runs the
// program of find_topics() on its own documents, in a thread of this process, and all find the same topics.
#pragma once

#include <tulle/job/jobs.hpp>

#include <vector>

namespace tulle {

// The data of each site, and with them how many documents all of them have. A UsageError where the data do
// not say which site has what.
std::vector<TopicData> data_of_sites(TopicData all);

// Terms of the job name the sites. One account is charged for all of them, before any looks at its documents.
TopicOutcome find_topics_at_sites(const TopicJob& job, TopicData data, const Pay& pay);

}  // namespace tulle
