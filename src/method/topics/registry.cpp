#include "agn.hpp"
#include "avn.hpp"
#include "histogram.hpp"
#include "plain.hpp"
#include "power.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/topics.hpp>

namespace tulle {

const std::vector<TopicMethod>& topic_methods() {
  static const std::vector<TopicMethod> all = {histogram_topics(), plain_topics(), agn_topics(), avn_topics(),
                                               power_topics()};
  return all;
}

const TopicMethod& find_topic_method(std::string_view name) {
  std::vector<std::string_view> names;
  for (const TopicMethod& method : topic_methods()) {
    if (method.name == name) return method;
    names.push_back(method.name);
  }
  fail_usage("there is no method '{}' for topics; there is: {}", name, fmt::join(names, ", "));
}

}  // namespace tulle
