"""The ledger as several processes use it at once, some of them killed, in both places it can live in."""
import os
import random
import select
import subprocess
import time

# More with TULLE_KILLS=1000.
KILLS = int(os.environ.get("TULLE_KILLS", "40"))


def charger(ledger, epsilon, times, unit="entry", relation="replace", mode=""):
    return subprocess.Popen([os.environ["TULLE_CHARGER"], ledger, "ratings", str(epsilon), str(times), unit, relation, mode],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def numbers(output, word):
    return [int(line.split()[1]) for line in output.splitlines() if line.startswith(word + " ")]


def test_from_creation_to_verification(budget, ledger):
    budget("create", "ratings", "--unit", "user", "--mode", "person", "--relation", "add-remove")
    budget("grant", "ratings", "--epsilon", 1, "--note", "the board, in May")
    charger(ledger, 0.25, 2, "user", "add-remove", "person").communicate()
    shown = budget("show", "ratings")
    assert shown["epsilon"] == 1 and abs(shown["spent"] - 0.5) < 1e-12 and abs(shown["left"] - 0.5) < 1e-12
    assert shown["unit"] == "user" and shown["mode"] == "person" and [c["status"] for c in shown["charges"]] == ["delivered"] * 2
    assert [row["kind"] for row in budget("history", "ratings")] == ["create", "grant", "charge", "deliver", "charge", "deliver"]
    assert budget("verify") == {"verified": True, "rows": 6}
    assert budget("verify", "--head", shown["head"])["verified"]
    assert "no row has the hash" in budget("verify", "--head", "f" * 64, status=1)


def test_a_missing_ledger_is_not_verified_nor_made(budget, ledger):
    for action in ("verify", "history", "show"):
        assert "there is no ledger" in budget(action, status=1)
    assert ledger.startswith("postgresql:") or not os.path.exists(ledger)
    assert "there is no ledger" in budget("verify", status=1)


def test_errors_say_what_to_do(budget):
    budget("create", "cells")
    assert "budget create" in budget("show", "nobody", status=1)
    budget("create", "ratings")
    assert "already" in budget("create", "ratings", status=1)
    assert "no unit" in budget("create", "flows", "--unit", "village", status=2)
    assert "--mode" in budget("create", "flows", "--unit", "user", status=2)


def test_eight_processes_race_for_the_last_budget(budget, ledger):
    budget("create", "ratings")
    budget("grant", "ratings", "--epsilon", 1)
    racers = [charger(ledger, 0.125, 4) for _ in range(8)]
    outputs = [racer.communicate()[0] for racer in racers]
    assert sum(len(numbers(output, "charged")) for output in outputs) == 8
    assert any("Nothing was charged" in output for output in outputs)
    assert abs(budget("show", "ratings")["spent"] - 1) < 1e-12


def test_kills_lose_no_charge_and_break_nothing(budget, ledger):
    budget("create", "ratings")
    budget("grant", "ratings", "--epsilon", 1e6)
    moments = random.Random(1)
    charged, delivered, kills = [], [], 0
    while kills < KILLS:
        running = [charger(ledger, 1e-3, 1000) for _ in range(3)]
        # From the start, or from the first charge of one of them on: on a busy machine there may be none for a while.
        if moments.random() < 0.7:
            select.select([process.stdout for process in running], [], [])
        time.sleep(moments.uniform(0, 0.1))
        for process in running:
            process.kill()
            output = process.communicate()[0]
            charged += numbers(output, "charged")
            delivered += numbers(output, "delivered")
            kills += 1
    shown = {charge["number"]: charge["status"] for charge in budget("show", "ratings")["charges"]}
    assert charged and set(charged) <= set(shown)
    assert all(shown[number] == "delivered" for number in delivered)
    assert budget("verify")["verified"]
