// Remembered answers. An audit or a service asks the same question in each of thousands of runs, and an
// answer may take a second.
#pragma once

#include <tulle/privacy/account/accountant.hpp>

#include <map>
#include <mutex>
#include <span>
#include <vector>

namespace tulle::account {

// A question as numbers, equal if and only if all parts of the question are equal.
inline std::vector<double> question(std::span<const Event> events, Relation relation, double target) {
  std::vector<double> numbers{static_cast<double>(relation), target};
  const auto add = [&](auto... values) { (numbers.push_back(static_cast<double>(values)), ...); };
  for (const Event& event : events) {
    add(event.count() >> 32, event.count() & 0xffffffff, event.mechanism().index(), event.sampling().index());
    std::visit(
        [&](const auto& kind) {
          using Kind = std::decay_t<decltype(kind)>;
          if constexpr (std::is_same_v<Kind, DiscreteGaussianRelease>)
            add(kind.sigma, kind.sensitivity, kind.coordinates);
          else if constexpr (std::is_same_v<Kind, DiscreteLaplaceRelease>)
            add(kind.scale, kind.sensitivity);
          else if constexpr (std::is_same_v<Kind, Approximate>)
            add(kind.epsilon, kind.delta);
          else
            add(kind.noise_multiplier);
        },
        event.mechanism());
    if (const auto* poisson = std::get_if<PoissonSampling>(&event.sampling())) add(poisson->rate());
    if (const auto* fixed = std::get_if<FixedBatch>(&event.sampling()))
      add(fixed->batch(), fixed->population());
  }
  return numbers;
}

template <class Question, class Answer>
class Memory {
 public:
  template <class Compute>
  Answer operator()(Question question, const Compute& compute) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
    }
    const Answer answer = compute();
    const std::lock_guard lock(mutex_);
    if (answers_.size() >= kMost) answers_.clear();
    answers_.emplace(std::move(question), answer);
    return answer;
  }

 private:
  static constexpr std::size_t kMost = 1024;
  std::mutex mutex_;
  std::map<Question, Answer> answers_;
};

}  // namespace tulle::account
