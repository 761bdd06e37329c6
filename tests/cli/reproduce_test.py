"""tulle reproduce: an experiment file in, a table, a CSV and a plot out."""
import csv
import json

EXPERIMENT = """
title = "A small sample"
source = "nobody"
x = "epsilon"
values = [2, 20]
seeds = 2
note = "Of six by seven."
[data]
generate = ["cp", "--shape", "8x7x6", "--rank", "1"]
[[curves]]
name = "plain"
arguments = ["--method", "plain", "--rank", "1"]
flat = true
[[curves]]
name = "input"
arguments = ["--method", "input", "--rank", "1", "--epsilon", "{x}", "--range", "-1:2"]
printed = [0.5, 0.25]
"""


def test_runs_an_experiment_and_resumes_it(tulle):
    (tulle.folder / "sample.toml").write_text(EXPERIMENT)
    report = tulle("reproduce", "sample.toml", "--json", "--jobs", 2).json
    plain, noisy = report["curves"]
    assert [point["runs"] for point in noisy["points"]] == [2, 2] and noisy["printed"] == [0.5, 0.25]
    assert report["note"] == "Of six by seven.\n"
    assert noisy["points"][0]["mean"] > noisy["points"][1]["mean"] and len(plain["points"]) == 1
    folder = tulle.folder / "reproduced" / "sample"
    plot = (folder / "plot.svg").read_text()
    assert "<svg" in plot and ">epsilon<" in plot and ">test_rmse<" in plot and "prefers-color-scheme:dark" in plot
    assert plot.count("stroke-dasharray") >= 2 and all(f">{name}<" in plot for name in ("plain", "input"))
    assert len(list(csv.DictReader((folder / "table.csv").open()))) == 3

    # Runs that were made are not made again: their results are taken from the file.
    runs = [json.loads(line) for line in (folder / "runs.jsonl").read_text().splitlines()]
    for run in runs:
        if run["curve"] == "input" and run["x"] == 2:
            run["value"] = 7
    (folder / "runs.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    again = tulle("reproduce", "sample.toml", "--json").json
    assert again["curves"][1]["points"][0]["mean"] == 7
    out = tulle("reproduce", "sample.toml").out
    assert "(paper)" in out and "Of six by seven.\n" in out and f"of the runs were made before; remove {folder.relative_to(tulle.folder)}/runs.jsonl" in out


def test_takes_fewer_seeds_first_and_the_others_later(tulle):
    (tulle.folder / "sample.toml").write_text(EXPERIMENT)
    for arguments, runs in ((["--seeds", 1], 1), ([], 2)):
        report = tulle("reproduce", "sample.toml", "--json", *arguments).json
        assert [point["runs"] for point in report["curves"][1]["points"]] == [runs, runs]
    assert "--seeds" in tulle("reproduce", "sample.toml", "--seeds", 0, status=2).err


def test_missing_data_are_a_failure_with_a_hint(tulle):
    (tulle.folder / "far.toml").write_text(EXPERIMENT.replace(
        'generate = ["cp", "--shape", "8x7x6", "--rank", "1"]', 'train = "far/away.tns"\nobtain = "the moon"'))
    missing = tulle("reproduce", "far.toml", status=1).err
    assert "TULLE_DATA" in missing and "the moon" in missing and missing.count("\n") == 1
    error = tulle("reproduce", "far.toml", "--data", "nowhere", status=1).err  # where they were said to be
    assert "no far/away.tns in nowhere" in error and "--data" in error
    assert tulle("reproduce", "none.toml", status=1).err == "tulle: none.toml: No such file or directory\n"
    (tulle.folder / "file").write_text("")
    (tulle.folder / "sample.toml").write_text(EXPERIMENT)
    assert "file/x: Not a directory" in tulle("reproduce", "sample.toml", "-o", "file/x", status=1).err


def test_a_metric_that_is_not_printed_is_named_beside_those_that_are(tulle):
    (tulle.folder / "typo.toml").write_text(EXPERIMENT.replace('x = "epsilon"', 'x = "epsilon"\nmetric = "rmse"'))
    error = tulle("reproduce", "typo.toml", status=1).err
    assert "printed no 'rmse'; it printed" in error and "test_rmse" in error


def test_a_metric_may_be_a_place_in_the_report(tulle):
    place = EXPERIMENT.replace('x = "epsilon"', 'x = "epsilon"\nmetric = "/guarantee/releases/0/coordinates"')
    place = place[:place.index("[[curves]]")] + place[place.rindex("[[curves]]"):]  # the one with releases
    (tulle.folder / "place.toml").write_text(place)
    points = tulle("reproduce", "place.toml", "--json").json["curves"][0]["points"]
    assert all(point["mean"] > 1 for point in points)
    (tulle.folder / "none.toml").write_text(place.replace("/releases/0", "/releases/7"))
    assert "no number at '/guarantee/releases/7/coordinates'" in tulle("reproduce", "none.toml", status=1).err


def test_a_failing_run_is_named(tulle):
    (tulle.folder / "bad.toml").write_text(EXPERIMENT.replace('"-1:2"', '"1:0"'))
    error = tulle("reproduce", "bad.toml", status=1).err
    assert "tulle complete" in error and "LOW < HIGH" in error


def test_a_run_that_may_fail_is_a_finding(tulle):
    (tulle.folder / "sample.toml").write_text(EXPERIMENT + '''
[[curves]]
name = "steep"
arguments = ["--method", "input", "--calibration", "published", "--learning-rate", "1e9", "--rank", "1", "--epsilon", "{x}",
             "--range", "0:1"]
may_fail = true
''')
    out = tulle("reproduce", "sample.toml").out
    assert "steep at epsilon 2: 2 runs failed (tulle: the published algorithm grows without bound" in out
    assert out.count("-") >= 2 and "plain" in out


def test_an_unknown_name_lists_the_known(tulle):
    assert "wei2022-figure2-cp" in tulle("reproduce", "nothing", status=2).err


def test_a_folder_of_experiments_does_not_hide_those_of_the_command(tulle):
    folder = tulle.folder / "experiments"
    folder.mkdir()
    (folder / "notes.txt").write_text("another program's")
    assert "wei2022-figure2-cp" in tulle("reproduce").out
    (folder / "own.toml").write_text(EXPERIMENT)
    assert "wei2022-figure2-cp" not in tulle("reproduce").out
    assert "there is no uclaf/uclaf.tns.gz" in tulle("reproduce", "ermis2020-table6-1", "--data", ".", status=1).err
    error = tulle("reproduce", "nothing-*", status=2).err
    assert "own" in error and "wei2022-figure2-cp" in error


def test_all_experiments_are_run_and_told_in_one_table(tulle):
    """One whose data are not there is named with where to get them, one that takes long has the paper's figures alone."""
    folder = tulle.folder / "experiments"
    folder.mkdir()
    quick = EXPERIMENT.replace("seeds = 2", 'seeds = 2\nquick_seeds = 1\nquick_values = [20]')
    (folder / "near.toml").write_text(quick)
    (folder / "far.toml").write_text(quick.replace('generate = ["cp", "--shape", "8x7x6", "--rank", "1"]',
                                                   'train = "far/away.tns"\nobtain = "the moon"'))
    (folder / "long.toml").write_text(quick.replace("quick_seeds = 1", 'quick_seeds = 1\nquick_leaves_out = ["plain", "input"]'))
    out = tulle("reproduce", "all", "--quick", "--results", "results.md", "--commit", "c0ffee").out
    assert "far: there is no far/away.tns" in out and "the moon" in out
    assert "too long for the quick version" in out and out.count("(paper)") == 2
    page = (tulle.folder / "results.md").read_text()
    assert "commit c0ffee" in page and "Machine: Linux" in page and "## near" in page and "| *the paper* | *0.25* |" in page
    rows = list(csv.DictReader((tulle.folder / "reproduced" / "results.csv").open()))
    assert [(row["experiment"], row["curve"], row["paper"]) for row in rows] == [("near", "plain", ""), ("near", "input", "0.25")]
    assert (tulle.folder / "reproduced" / "near" / "plot.svg").exists()

    # Resumed: the full version makes the runs that are missing, and those of the quick one are kept.
    log = tulle.folder / "reproduced" / "near" / "runs.jsonl"
    before = log.read_text()
    report = tulle("reproduce", "all", "--json").json
    assert [each["name"] for each in report] == ["far", "long", "near"] and "skipped" in report[0]
    assert log.read_text().startswith(before) and [p["runs"] for p in report[2]["curves"][1]["points"]] == [2, 2]


def test_a_pattern_stands_for_several(tulle):
    (tulle.folder / "experiments").mkdir()
    for name in ("near-1", "near-2", "other"):
        (tulle.folder / "experiments" / f"{name}.toml").write_text(EXPERIMENT)
    report = tulle("reproduce", "near-*", "--json", "--seeds", 1, "--results", "near.md").json
    assert [each["name"] for each in report] == ["near-1", "near-2"]
    page = (tulle.folder / "near.md").read_text()
    assert "## near-2" in page and "`tulle reproduce near-*`" in page and "## other" not in page
    error = tulle("reproduce", "far-*", status=2).err
    assert "no experiment 'far-*'" in error and "near-1, near-2, other" in error


def test_all_ends_in_time(tulle):
    (tulle.folder / "experiments").mkdir()
    (tulle.folder / "experiments" / "near.toml").write_text(EXPERIMENT)
    assert "6 of its 6 runs are missing" in tulle("reproduce", "all", "--minutes", 1e-9).out
    assert "--minutes is for several experiments" in tulle("reproduce", "near", "--minutes", 1, status=2).err


def test_a_failure_among_all_is_named_after_the_others_were_made(tulle):
    (tulle.folder / "experiments").mkdir()
    (tulle.folder / "experiments" / "bad.toml").write_text(EXPERIMENT.replace('"-1:2"', '"1:0"'))
    (tulle.folder / "experiments" / "good.toml").write_text(EXPERIMENT)
    result = tulle("reproduce", "all", status=1)
    assert "bad: 4 runs failed" in result.err and "good: A small sample" in result.out
