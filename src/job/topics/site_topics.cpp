#include <tulle/base/error.hpp>
#include <tulle/exchange/embedded.hpp>
#include <tulle/job/site_link.hpp>
#include <tulle/job/topics/site_topics.hpp>

namespace tulle {
namespace {

Corpus part_of(const Corpus& all, std::size_t first, std::size_t count) {
  Corpus part{all.documents.slice(first, count), all.length, all.sites};
  part.states_documents = all.states_documents;
  return part;
}

Samples part_of(const Samples& all, std::size_t first, std::size_t count) {
  return {all.rows.middleRows(static_cast<Eigen::Index>(first), static_cast<Eigen::Index>(count)), all.norm,
          all.sites};
}

}  // namespace

std::vector<TopicData> data_of_sites(TopicData all) {
  return std::visit(
      [](const auto& data) {
        if (data.sites.size() < 2)
          fail_usage("the data do not say which site has what; give an array of site x document x word");
        std::vector<TopicData> parts;
        std::size_t first = 0;
        for (std::size_t count : data.sites) {
          parts.emplace_back(part_of(data, first, count));
          first += count;
        }
        return parts;
      },
      all);
}

TopicOutcome find_topics_at_sites(const TopicJob& job, TopicData data, const Pay& pay) {
  if (job.terms.sites->server) fail_usage("the sites find topics by themselves; leave the server out");
  std::vector<TopicData> parts = data_of_sites(std::move(data));
  const SumTerms terms = sum_terms(*job.terms.sites, static_cast<int>(parts.size()));
  std::optional<TopicOutcome> found;
  const EmbeddedEnds ends = run_embedded(terms, [&](Party& party) {
    Curator curator = job.open(bits_of_site(job.terms, party.rank()));
    curator.join_sites(link_over(party, terms, job.terms.sites->overlap));
    curator.before_first_release([&](const Curator& planned) {
      if (party.rank() == 0 && pay) pay(planned);
      static_cast<void>(party.sum({}));  // which waits for the payment
    });
    TopicOutcome outcome = job.run(std::move(parts[static_cast<std::size_t>(party.rank())]), curator);
    if (party.rank() == 0) found = std::move(outcome);
  });
  if (ends.first) std::rethrow_exception(ends.first);
  return std::move(*found);
}

}  // namespace tulle
