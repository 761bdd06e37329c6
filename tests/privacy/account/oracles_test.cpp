#include "sampled.hpp"

// Reference values computed elsewhere: mpmath with 40 digits, contour integrals, exact expansions of pmfs.
#include "../../../src/privacy/account/pair.hpp"

#include <tulle/privacy/account/accountant.hpp>
#include <tulle/privacy/account/calibrate.hpp>
#include <tulle/privacy/account/composition.hpp>
#include <tulle/privacy/account/gdp.hpp>
#include <tulle/privacy/account/pld.hpp>
#include <tulle/privacy/account/rdp.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace tulle {
namespace {

double epsilon(const Event& event, double delta) {
  return epsilon_upper({&event, 1}, Relation::add_remove, delta).value;
}

double delta(const Event& event, double epsilon) {
  return delta_upper({&event, 1}, Relation::add_remove, epsilon).value;
}

double renyi(const Event& event, double order) {
  return rdp_upper(event, Relation::add_remove, order);
}

double renyi_epsilon(const Event& event, Relation relation, double delta) {
  return rdp_epsilon_upper({&event, 1}, relation, delta);
}

std::vector<double> whole_orders() {
  std::vector<double> orders;
  for (int order = 2; order <= 64; ++order) orders.push_back(order);
  return orders;
}

// 1.1 to 10.9 by 0.1, 11 to 63, 128, 256, 512, 1024.
std::vector<double> mixed_orders() {
  std::vector<double> orders;
  for (int tenths = 11; tenths < 110; ++tenths) orders.push_back(tenths / 10.0);
  for (int order = 11; order < 64; ++order) orders.push_back(order);
  for (double order = 128; order <= 1024; order *= 2) orders.push_back(order);
  return orders;
}

// Mironov (2017), proposition 3.
double plain_conversion(double divergence, double order, double delta) {
  return divergence + std::log(1 / delta) / (order - 1);
}

template <class Conversion>
double least_over(const std::vector<double>& orders, const Conversion& conversion, const Event& event,
                  double delta) {
  double least = INFINITY;
  for (double order : orders) least = std::min(least, conversion(renyi(event, order), order, delta));
  return least;
}

// The distributions that the accountant takes integer noise for, moved by 1.
account::DiscretePair integer_gaussian(double variance) {
  return std::get<account::DiscretePair>(
      account::loss_analysis(Event::discrete_gaussian(std::sqrt(variance), 1), Relation::add_remove)->pair);
}

double integer_gaussian_centre(double variance) {
  double largest = 0;
  for (const account::Point& point : integer_gaussian(variance).points)
    largest = std::max(largest, std::exp(point.log_q));
  return largest;
}

double integer_gaussian_variance(double variance) {
  double sum = 0;
  for (const account::Point& point : integer_gaussian(variance).points) {
    const double k = std::round(point.loss * variance + 0.5);
    sum += k * k * std::exp(point.log_q);
  }
  return sum;
}

// Moved by 1000, so that each k = 1 .. 999 is a point of its own.
std::vector<double> integer_laplace(double scale) {
  const auto pair = std::get<account::DiscretePair>(
      account::loss_analysis(Event::discrete_laplace(scale, 1000), Relation::add_remove)->pair);
  std::vector<double> probability;
  for (std::size_t k = 1; k + 1 < pair.points.size(); ++k)
    probability.push_back(std::exp(pair.points[k].log_q));
  return probability;
}

double integer_laplace_centre(double scale) {
  return integer_laplace(scale)[0] * std::exp(1 / scale);
}

double integer_laplace_variance(double scale) {
  double sum = 0, k = 0;
  for (double probability : integer_laplace(scale)) {
    ++k;
    sum += 2 * k * k * probability;
  }
  return sum;
}

struct Oracle {
  const char* id;
  double value, tolerance;
  double (*ours)();
};

const Oracle kOracles[] = {
    {"gaussian.epsilon.sigma0.5.delta1e-5", 9.997256146434301, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 0.5, 1e-05); }},
    {"gaussian.epsilon.sigma0.5.delta1e-6", 10.99715121422065, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 0.5, 1e-06); }},
    {"gaussian.epsilon.sigma1.delta1e-5", 4.3771780956812245, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 1.0, 1e-05); }},
    {"gaussian.epsilon.sigma1.delta1e-6", 4.886554117462212, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 1.0, 1e-06); }},
    {"gaussian.epsilon.sigma2.delta1e-5", 1.9930914044151196, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 2.0, 1e-05); }},
    {"gaussian.epsilon.sigma2.delta1e-6", 2.254084650219741, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 2.0, 1e-06); }},
    {"gaussian.epsilon.sigma5.delta1e-5", 0.7255217508577958, 1e-10,
     [] { return gaussian_epsilon_upper(1 / 5.0, 1e-05); }},
    {"gaussian.delta.sigma1.eps0", 0.38292492254802624, 1e-10,
     [] { return gaussian_delta_upper(1 / 1.0, 0.0); }},
    {"gaussian.delta.sigma1.eps1", 0.12693673750664394, 1e-10,
     [] { return gaussian_delta_upper(1 / 1.0, 1.0); }},
    {"gaussian.delta.sigma1.eps5", 5.793721691919494e-07, 1e-10,
     [] { return gaussian_delta_upper(1 / 1.0, 5.0); }},
    {"gaussian.delta.sigma5.eps0.1", 0.04148168846071832, 1e-10,
     [] { return gaussian_delta_upper(1 / 5.0, 0.1); }},
    {"gaussian.delta.sigma0.5.eps8", 0.0004954017389387454, 1e-10,
     [] { return gaussian_delta_upper(1 / 0.5, 8.0); }},
    {"gaussian.sigma.eps0.1.delta1e-5", 30.74956613197745, 1e-10,
     [] {
       return gaussian_noise_for({0.1, 1e-05});
     }},
    {"gaussian.sigma.eps0.1.delta1e-6", 36.30469042619578, 1e-10,
     [] {
       return gaussian_noise_for({0.1, 1e-06});
     }},
    {"gaussian.sigma.eps1.delta1e-5", 3.730631634815942, 1e-10,
     [] {
       return gaussian_noise_for({1.0, 1e-05});
     }},
    {"gaussian.sigma.eps1.delta1e-6", 4.224678889326835, 1e-10,
     [] {
       return gaussian_noise_for({1.0, 1e-06});
     }},
    {"gaussian.sigma.eps5.delta1e-5", 0.891868264951518, 1e-10,
     [] {
       return gaussian_noise_for({5.0, 1e-05});
     }},
    {"gaussian.sigma.eps5.delta1e-6", 0.9800490003092099, 1e-10,
     [] {
       return gaussian_noise_for({5.0, 1e-06});
     }},
    {"gaussian.composed.k10.sigma5.delta1e-5", 2.594383380527607, 1e-10,
     [] { return epsilon(Event::gaussian(5.0).times(10), 1e-05); }},
    {"gaussian.composed.k1000.sigma50.delta1e-5", 2.594383380527607, 1e-10,
     [] { return epsilon(Event::gaussian(50.0).times(1000), 1e-05); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha2", 0.00017181342207454794, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 2); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha3", 0.00026463757458466134, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 3); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha4", 0.0003631540489107567, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 4); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha8", 0.0008936439076060318, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 8); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha16", 3.0878507836962448, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 16); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha32", 11.246275937048068, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 32); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha64", 27.32173187455178, 1e-09,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 64); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha1.5", 0.00012725374332744983, 1e-08,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 1.5); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha2.5", 0.00021757533228188044, 1e-08,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 2.5); }},
    {"rdp.poisson_gaussian.q0.01.sigma1.alpha7.8", 0.0008475661385626622, 1e-08,
     [] { return renyi(sampled_gaussian(0.01, 1.0, 1), 7.8); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha2", 0.0028362282662636224, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 2); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha3", 0.004373658348577058, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 3); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha4", 0.006003282964489648, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 4); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha8", 0.013725430103219917, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 8); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha16", 0.04529183908362196, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 16); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha32", 1.6272023010194359, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 32); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha64", 5.660867258415199, 1e-09,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 64); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha2.5", 0.003594077199413228, 1e-08,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 2.5); }},
    {"rdp.poisson_gaussian.q0.1.sigma2.alpha7.8", 0.013281894017803256, 1e-08,
     [] { return renyi(sampled_gaussian(0.1, 2.0, 1), 7.8); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha2", 2.0562722886473606e-05, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 2); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha3", 3.106992638818102e-05, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 3); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha4", 4.173622243136341e-05, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 4); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha8", 8.615051563406559e-05, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 8); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha16", 0.7231213560762075, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 16); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha32", 7.523567937414428, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 32); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha64", 20.83717783708183, 1e-09,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 64); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha1.5", 1.536671466643717e-05, 1e-08,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 1.5); }},
    {"rdp.poisson_gaussian.q0.004.sigma1.1.alpha2.5", 2.5796860968273097e-05, 1e-08,
     [] { return renyi(sampled_gaussian(0.004, 1.1, 1), 2.5); }},
    {"rdp.laplace.b1.alpha1.5", 0.5128835112945086, 1e-10, [] { return renyi(Event::laplace(1.0), 1.5); }},
    {"rdp.laplace.b1.alpha2", 0.6191236299985928, 1e-10, [] { return renyi(Event::laplace(1.0), 2.0); }},
    {"rdp.laplace.b1.alpha8", 0.9101988011774458, 1e-10, [] { return renyi(Event::laplace(1.0), 8.0); }},
    {"rdp.laplace.b1.alpha32", 0.9781484250454257, 1e-10, [] { return renyi(Event::laplace(1.0), 32.0); }},
    {"rdp.laplace.b2.alpha1.5", 0.1559778784857395, 1e-10, [] { return renyi(Event::laplace(2.0), 1.5); }},
    {"rdp.laplace.b2.alpha2", 0.20030389617361596, 1e-10, [] { return renyi(Event::laplace(2.0), 2.0); }},
    {"rdp.laplace.b2.alpha8", 0.41026788176229156, 1e-10, [] { return renyi(Event::laplace(2.0), 8.0); }},
    {"rdp.laplace.b2.alpha32", 0.47814842504542626, 1e-10, [] { return renyi(Event::laplace(2.0), 32.0); }},
    {"rdp.laplace.b10.alpha1.5", 0.007247485389328534, 1e-10,
     [] { return renyi(Event::laplace(10.0), 1.5); }},
    {"rdp.laplace.b10.alpha2", 0.009644207840344674, 1e-10, [] { return renyi(Event::laplace(10.0), 2.0); }},
    {"rdp.laplace.b10.alpha32", 0.0782057585889131, 1e-10, [] { return renyi(Event::laplace(10.0), 32.0); }},
    {"rdp_eps.default_orders.cks.q0.01.sigma1.T1000.delta1e-5", 2.1013652716483953, 1e-08,
     [] { return least_over(mixed_orders(), rdp_to_epsilon, sampled_gaussian(0.01, 1.0, 1000), 1e-05); }},
    {"rdp_eps.int_orders_2_64.cks.q0.01.sigma1.T1000.delta1e-5", 2.107753075451565, 1e-09,
     [] { return least_over(whole_orders(), rdp_to_epsilon, sampled_gaussian(0.01, 1.0, 1000), 1e-05); }},
    {"rdp_eps.int_orders_2_64.mironov.q0.01.sigma1.T1000.delta1e-5", 2.5383475454589215, 1e-09,
     [] { return least_over(whole_orders(), plain_conversion, sampled_gaussian(0.01, 1.0, 1000), 1e-05); }},
    {"rdp_eps.continuous_order.cks.q0.01.sigma1.T1000.delta1e-5", 2.1013221312346264, 1e-08,
     [] { return renyi_epsilon(sampled_gaussian(0.01, 1.0, 1000), Relation::add_remove, 1e-05); }},
    {"rdp_eps.default_orders.cks.q0.01.sigma2.T1000.delta1e-5", 0.6861853363943511, 1e-08,
     [] { return least_over(mixed_orders(), rdp_to_epsilon, sampled_gaussian(0.01, 2.0, 1000), 1e-05); }},
    {"rdp_eps.int_orders_2_64.cks.q0.01.sigma2.T1000.delta1e-5", 0.6861853363943511, 1e-09,
     [] { return least_over(whole_orders(), rdp_to_epsilon, sampled_gaussian(0.01, 2.0, 1000), 1e-05); }},
    {"rdp_eps.int_orders_2_64.mironov.q0.01.sigma2.T1000.delta1e-5", 0.8593936153669424, 1e-09,
     [] { return least_over(whole_orders(), plain_conversion, sampled_gaussian(0.01, 2.0, 1000), 1e-05); }},
    {"rdp_eps.continuous_order.cks.q0.01.sigma2.T1000.delta1e-5", 0.6859848206783967, 1e-08,
     [] { return renyi_epsilon(sampled_gaussian(0.01, 2.0, 1000), Relation::add_remove, 1e-05); }},
    {"rdp_eps.default_orders.cks.q0.1.sigma2.T100.delta1e-5", 2.580568808661473, 1e-08,
     [] { return least_over(mixed_orders(), rdp_to_epsilon, sampled_gaussian(0.1, 2.0, 100), 1e-05); }},
    {"rdp_eps.int_orders_2_64.cks.q0.1.sigma2.T100.delta1e-5", 2.586652178167525, 1e-09,
     [] { return least_over(whole_orders(), rdp_to_epsilon, sampled_gaussian(0.1, 2.0, 100), 1e-05); }},
    {"rdp_eps.int_orders_2_64.mironov.q0.1.sigma2.T100.delta1e-5", 3.0172466481748814, 1e-09,
     [] { return least_over(whole_orders(), plain_conversion, sampled_gaussian(0.1, 2.0, 100), 1e-05); }},
    {"rdp_eps.continuous_order.cks.q0.1.sigma2.T100.delta1e-5", 2.5805580584774384, 1e-08,
     [] { return renyi_epsilon(sampled_gaussian(0.1, 2.0, 100), Relation::add_remove, 1e-05); }},
    {"pld_eps.poisson_gaussian.q0.01.sigma1.T1000.delta1e-5", 1.8282366665128265, 1e-06,
     [] { return epsilon(sampled_gaussian(0.01, 1.0, 1000), 1e-05); }},
    {"pld_eps.poisson_gaussian.q0.01.sigma1.T1.delta1e-5", 0.19945044779591473, 1e-06,
     [] { return epsilon(sampled_gaussian(0.01, 1.0, 1), 1e-05); }},
    {"pld_eps.poisson_gaussian.q0.01.sigma2.T1000.delta1e-5", 0.6220303088487353, 1e-06,
     [] { return epsilon(sampled_gaussian(0.01, 2.0, 1000), 1e-05); }},
    {"pld_delta.poisson_gaussian.q0.01.sigma1.T1000.eps1.0", 0.002612420578552726, 1e-06,
     [] { return delta(sampled_gaussian(0.01, 1.0, 1000), 1.0); }},
    {"pld_delta.poisson_gaussian.q0.1.sigma2.T100.eps2.0", 8.181145511816979e-05, 1e-06,
     [] { return delta(sampled_gaussian(0.1, 2.0, 100), 2.0); }},
    {"pld_eps.laplace.n10.b1.delta1e-5", 9.989962311150627, 1e-07,
     [] { return epsilon(Event::laplace(1.0).times(10), 1e-05); }},
    {"pld_eps.laplace.n10.b2.delta1e-5", 4.989962311150628, 1e-07,
     [] { return epsilon(Event::laplace(2.0).times(10), 1e-05); }},
    {"pld_eps.laplace.n10.b5.delta1e-5", 1.9899623111506277, 1e-07,
     [] { return epsilon(Event::laplace(5.0).times(10), 1e-05); }},
    {"pld_eps.laplace.n10.b10.delta1e-5", 0.9899623111506278, 1e-07,
     [] { return epsilon(Event::laplace(10.0).times(10), 1e-05); }},
    {"pld_eps.laplace.n20.b10.delta1e-5", 1.5922295030275515, 1e-07,
     [] { return epsilon(Event::laplace(10.0).times(20), 1e-05); }},
    {"pld_eps.laplace.n10.b1.delta1e-2", 8.37370307126591, 1e-07,
     [] { return epsilon(Event::laplace(1.0).times(10), 0.01); }},
    {"pld_eps.laplace.n10.b2.delta1e-3", 4.521308127047462, 1e-07,
     [] { return epsilon(Event::laplace(2.0).times(10), 0.001); }},
    {"pld_delta.laplace.n10.b1.eps5", 0.20702572144969086, 1e-09,
     [] { return delta(Event::laplace(1.0).times(10), 5.0); }},
    {"pld_delta.laplace.n10.b1.eps2", 0.6128420290499026, 1e-09,
     [] { return delta(Event::laplace(1.0).times(10), 2.0); }},
    {"optimal_composition.pure.k10.eps00.1.delta1e-5", 0.9936911767593358, 1e-09,
     [] { return optimal_epsilon_upper(0.1, 10, 1e-05); }},
    {"optimal_composition.pure.k100.eps00.1.delta1e-5", 4.306791372516507, 1e-09,
     [] { return optimal_epsilon_upper(0.1, 100, 1e-05); }},
    {"discrete_gaussian.variance.sigma2_0.25", 0.21501267508813848, 1e-12,
     [] { return integer_gaussian_variance(0.25); }},
    {"discrete_gaussian.pmf0.sigma2_0.25", 0.7865707070419479, 1e-12,
     [] { return integer_gaussian_centre(0.25); }},
    {"discrete_gaussian.variance.sigma2_1", 0.9999997887677281, 1e-12,
     [] { return integer_gaussian_variance(1.0); }},
    {"discrete_gaussian.pmf0.sigma2_1", 0.3989422782668617, 1e-12,
     [] { return integer_gaussian_centre(1.0); }},
    {"discrete_gaussian.pmf0.sigma2_4", 0.19947114020071635, 1e-12,
     [] { return integer_gaussian_centre(4.0); }},
    {"discrete_gaussian.variance.sigma2_100", 100.0, 1e-12, [] { return integer_gaussian_variance(100.0); }},
    {"discrete_gaussian.pmf0.sigma2_100", 0.03989422804014327, 1e-12,
     [] { return integer_gaussian_centre(100.0); }},
    {"discrete_gaussian.epsilon.sigma2_1.sens1.delta1e-5", 4.430238055279412, 1e-06,
     [] { return epsilon(Event::discrete_gaussian(1.0, 1), 1e-05); }},
    {"discrete_gaussian.epsilon.sigma2_100.sens1.delta1e-5", 0.3408182852462441, 1e-06,
     [] { return epsilon(Event::discrete_gaussian(10.0, 1), 1e-05); }},
    {"discrete_laplace.variance.t1", 1.8413471884155845, 1e-12, [] { return integer_laplace_variance(1.0); }},
    {"discrete_laplace.pmf0.t1", 0.46211715726000974, 1e-12, [] { return integer_laplace_centre(1.0); }},
    {"discrete_laplace.variance.t2", 7.835396178065528, 1e-12, [] { return integer_laplace_variance(2.0); }},
    {"discrete_laplace.pmf0.t2", 0.24491866240370913, 1e-12, [] { return integer_laplace_centre(2.0); }},
    {"discrete_laplace.pmf0.t10", 0.04995837495787997, 1e-12, [] { return integer_laplace_centre(10.0); }},
    {"rdp_eps.wor_gaussian.n10000.m100.sigma1.T1000.delta1e-5", 3.576111482350549, 1e-06,
     [] {
       return renyi_epsilon(Event::gaussian(1).sampled(FixedBatch(100, 10000)).times(1000), Relation::replace,
                            1e-05);
     }},
    {"gaussian.group.k2.sigma20.delta1e-5", 0.3406693646843264, 1e-10,
     [] { return gaussian_epsilon_upper(2.0 / 20, 1e-05); }},
    {"gaussian.group_sqrt.k2.sigma20.delta1e-5", 0.2335459072270765, 1e-10,
     [] { return gaussian_epsilon_upper(std::sqrt(2.0) / 20, 1e-05); }},
    {"gaussian.group_sqrt.k10.sigma20.delta1e-5", 0.5612849328807854, 1e-10,
     [] { return gaussian_epsilon_upper(std::sqrt(10.0) / 20, 1e-05); }},
};

class Oracles : public ::testing::TestWithParam<Oracle> {};

TEST_P(Oracles, AgreesAndIsNotBelow) {
  const Oracle& oracle = GetParam();
  const double ours = oracle.ours();
  EXPECT_NEAR(ours, oracle.value, oracle.tolerance * oracle.value) << oracle.id;
  // All that are bounds bound from above; references and plain formulas are rounded themselves.
  EXPECT_GE(ours, oracle.value * (1 - 1e-13)) << oracle.id;
}

std::string test_name(const ::testing::TestParamInfo<Oracle>& info) {
  std::string name = info.param.id;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Account, Oracles, ::testing::ValuesIn(kOracles), test_name);

}  // namespace
}  // namespace tulle
