// Charges a ledger over and over and says what was acknowledged: the part of the ledger's tests that gets
// killed. usage: ledger_charger LEDGER NAME EPSILON TIMES UNIT RELATION MODE
#include <tulle/base/error.hpp>
#include <tulle/privacy/curator.hpp>
#include <tulle/privacy/ledger/ledger.hpp>

#include <cstdio>
#include <cstdlib>

int main(int, char** arguments) {
  try {
    tulle::Ledger ledger = tulle::Ledger::open(arguments[1]);
    auto run = tulle::Curator::with_budget({std::atof(arguments[3]), 0}, tulle::unit_of(arguments[5]),
                                           tulle::relation_of(arguments[6]));
    run.set_scope({.mode = arguments[7]});
    for (int i = 0; i < std::atoi(arguments[4]); ++i) {
      const auto number = ledger.charge(arguments[2], run, "a run");
      std::printf("charged %llu\n", static_cast<unsigned long long>(number));
      std::fflush(stdout);
      ledger.deliver(number);
      std::printf("delivered %llu\n", static_cast<unsigned long long>(number));
      std::fflush(stdout);
    }
  } catch (const tulle::Error& error) {
    std::printf("refused: %s\n", error.what());
  }
}
