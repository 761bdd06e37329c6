"""tulle audit: verdicts, what is asked for, and the reports."""


def test_published_form_is_violated_and_recovered(tulle, tmp_path):
    page, table = tmp_path / "audit.html", tmp_path / "audit.md"
    report = tulle("audit", "gradient", "--calibration", "published", "--trials", 500, "--report", page, "-o", table, "--json", status=3).json
    finding, = report["findings"]
    assert finding["verdict"] == "VIOLATED"
    assert finding["epsilon_at_least"] > finding["claimed"]["epsilon"] == 1
    assert finding["value_recovered"]["right"] == finding["value_recovered"]["trials"]
    assert report["false_alarm_rate"] == 0  # nothing that is proven was looked at
    assert "<svg" in page.read_text() and "VIOLATED" in page.read_text()
    row, = (line for line in table.read_text().splitlines() if line.startswith("| gradient cp | published |"))
    assert "" not in [cell.strip() for cell in row.split("|")[1:8]]  # up to what is accounted
    assert "None of the 1 rows here has a proven guarantee" in page.read_text()
    assert "its bound can be the lower one" in page.read_text()  # that of the white box


def test_sound_form_is_consistent(tulle):
    report = tulle("audit", "laplace", "--epsilon", 2, "--trials", 5000, "--seed", 3, "--json").json
    finding, = report["findings"]
    assert finding["verdict"] == "consistent"
    assert 1.5 < finding["epsilon_at_least"] < 2
    assert finding["accounted"] == {"epsilon": 2, "delta": 0}
    assert "epsilon >= " in tulle("audit", "laplace", "--trials", 500).out


def test_scripts_see_a_violation_by_the_exit_status(tulle):
    run = ("audit", "gradient", "--calibration", "published", "--trials", 500)
    failed = tulle(*run, status=3)
    assert "VIOLATED" in failed.out and failed.err == "tulle: 1 of 1 findings are violations\n"
    assert "false alarm" not in failed.out  # nothing that is proven was looked at
    assert "Any false alarm among the 1 with a proven guarantee" in tulle("audit", "laplace", "--trials", 500).out
    tulle("audit", "plain", "--trials", 200)


def test_outputs_are_checked_before_the_attacks(tulle):
    assert "no folder" in tulle("audit", "laplace", "--report", "nowhere/audit.html", status=1).err


def test_results_do_not_depend_on_threads(tulle):
    run = lambda threads: tulle("audit", "factor", "--trials", 600, "--threads", threads, "--json", status=3).out
    assert run(1) == run(3)


def test_the_exact_audit_is_of_the_form_that_is_asked_for(tulle):
    run = ("audit", "--exact", "--pairs", 4)
    kinds = tulle(*run, "als", "--unit", "user", "--json").json["exact"]
    assert [(kind["name"], kind["unit"], kind["over_sites"]) for kind in kinds] == [("als", "user", False), ("als", "user", True)]
    kinds = tulle(*run, "input", "--model", "cp", "--relation", "add-remove", "--json").json["exact"]
    assert [(kind["model"], kind["relation"]) for kind in kinds] == [("cp", "add-remove")]
    for wrong in (("als", "--model", "tubal"), ("input", "--unit", "document"), ("input", "--calibration", "published")):
        error = tulle(*run, *wrong, status=2).err
        assert "no such form to audit exactly" in error and error.count("\n") == 1
    assert "there is no exact audit of 'laplace'" in tulle(*run, "laplace", status=2).err
    for option, name in (("--report", "a.html"), ("-o", "a.md")):
        assert "--exact writes no file" in tulle(*run, "als", option, name, status=2).err


def test_refusals(tulle):
    assert "there is no audit of 'nope'" in tulle("audit", "nope", status=2).err
    assert "or give --all" in tulle("audit", status=2).err
    assert "has no such form" in tulle("audit", "laplace", "--model", "tucker", status=2).err
    assert "trials are too few" in tulle("audit", "laplace", "--trials", 5, status=2).err
    assert "confidence" in tulle("audit", "laplace", "--confidence", 2, status=2).err
