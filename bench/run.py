#!/usr/bin/env python3
"""Runs every benchmark beside its peers, one after the other on the same threads, and prints the ratios.

A topic is a program bench_TOPIC and, where there are peers in Python, a script TOPIC_peers.py. Each prints one JSON object a
line: {"bench": what, "who": "tulle" or the peer, "seconds": time of one unit of work, "bytes": the least that must move}.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def lines_of(command, environment):
    """The JSON lines that a command prints; what else it prints goes to the terminal."""
    process = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=environment, check=False)
    if process.returncode != 0:
        print(f"    {' '.join(map(str, command))} failed with {process.returncode}", file=sys.stderr)
    results = []
    for line in process.stdout.splitlines():
        try:
            results.append(json.loads(line))
        except ValueError:
            print("    " + line)
    return results


def run_topic(topic, arguments, environment):
    extra = ["--quick"] if arguments.quick else []
    results = lines_of([arguments.build / "bench" / f"bench_{topic}", *extra], environment)
    peers = HERE / f"{topic}_peers.py"
    if peers.exists():
        results += lines_of([sys.executable, peers, *extra], environment)
    return results


def floor_share(result, bandwidth):
    if "bytes" not in result:
        return ""
    return f"{100 * result['bytes'] / bandwidth / result['seconds']:.0f} % of bandwidth floor"


def speed(result):
    """What compares: throughput where the amount of work differs, else the inverse of the time."""
    return result.get("megabytes_per_second", 1 / result["seconds"])


def report(results, bandwidth):
    ours = {r["bench"]: speed(r) for r in results if r["who"] == "tulle"}
    for bench in dict.fromkeys(r["bench"] for r in results):
        for result in (r for r in results if r["bench"] == bench):
            peer = result["who"] != "tulle" and bench in ours
            notes = [f"tulle is {ours[bench] / speed(result):.1f}x faster" if peer else floor_share(result, bandwidth)]
            notes += [f"{key} {result[key]:.4g}" for key in ("rmse", "error", "megabytes_per_second", "peak_to_parsed", "times_plain") if key in result]
            notes.append(result.get("note", ""))
            print(f"  {bench:<28} {result['who']:<18} {result['seconds']:>10.4g} s  {'; '.join(n for n in notes if n)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("topics", nargs="*", help="default: all")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the build folder")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that everything runs")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--json", type=pathlib.Path, help="also write all results to this file")
    arguments = parser.parse_args()
    threads = str(arguments.threads)
    environment = {**os.environ, "OMP_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads, "MKL_NUM_THREADS": threads}

    stream = run_topic("stream", arguments, environment)
    bandwidth = stream[0]["bytes"] / stream[0]["seconds"]
    print(f"  {threads} threads, STREAM copy {bandwidth / 1e9:.1f} GB/s", flush=True)
    known = sorted(p.name.removeprefix("bench_") for p in (arguments.build / "bench").glob("bench_*"))
    everything = []
    for topic in arguments.topics or [t for t in known if t != "stream"]:
        results = run_topic(topic, arguments, environment)
        report(results, bandwidth)
        everything += results
    if arguments.json:
        arguments.json.write_text(json.dumps({"bandwidth": bandwidth, "results": everything}, indent=1))


if __name__ == "__main__":
    main()
