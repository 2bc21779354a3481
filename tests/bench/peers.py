#!/usr/bin/env python3
"""Vitrine beside ONNX Runtime and PyTorch: the same shape, random weights, one image, the same threads, turn by turn.

peers.py VITRINE FOLDER [--variants a,b] [--threads 1,2] [--runs N] [--json]
FOLDER holds node_modules/onnxruntime-node; exported models are kept there. Ours keeps every tensor, theirs none.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent


class Peer:
    """A process that times one pass whenever it is asked to."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        while (line := self.process.stdout.readline().strip()) != "ready":
            if line == "" and self.process.poll() is not None:
                sys.exit(f"peers: {command[0]} ended before it was ready; run it by hand: {' '.join(map(str, command))}")

    def turn(self, word="pass"):
        self.process.stdin.write(word + "\n")
        self.process.stdin.flush()
        milliseconds = float(self.process.stdout.readline())
        time.sleep(0.01)  # threads that still watch for work fall asleep before the next one's turn
        return milliseconds

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def exported(folder, variant):
    file = folder / f"{variant}.onnx"
    if not file.exists():
        part = file.with_suffix(".part")
        subprocess.run(["/usr/bin/python3", HERE / "peer_torch.py", "export", variant, part], check=True, stdout=subprocess.DEVNULL)
        part.rename(file)
    return file


def measure(options, variant, threads):
    node = ["node", HERE / "peer_onnxruntime.js", options.folder / "node_modules", exported(options.folder, variant), str(threads)]
    peers = {
        "vitrine": Peer([options.vitrine, "bench", "--turns", "--variant", variant, "--threads", str(threads)]),
        "onnxruntime": Peer(node),
        "torch": Peer(["/usr/bin/python3", HERE / "peer_torch.py", "serve", variant, str(threads)]),
    }
    times = {name: [] for name in ("bound", *peers)}
    for _ in range(options.runs):
        times["bound"].append(peers["vitrine"].turn("bound"))
        for name, peer in peers.items():
            times[name].append(peer.turn())
    for peer in peers.values():
        peer.close()
    row = {"variant": variant, "threads": threads, "runs": options.runs}
    for name, values in times.items():
        row[name + "_ms"] = statistics.median(values)
        ours = times["vitrine"]
        if name != "vitrine":
            row["against_" + name] = statistics.median(o / v for o, v in zip(ours, values))
    return row


def print_row(r):
    print(f"{r['variant']:<9} {r['threads']} thread{'s' if r['threads'] > 1 else ' '}  "
          f"vitrine {r['vitrine_ms']:8.2f} ms   bound {r['bound_ms']:8.2f} ({r['against_bound']:.3f})   "
          f"onnxruntime {r['onnxruntime_ms']:8.2f} ({r['against_onnxruntime']:.3f})   "
          f"torch {r['torch_ms']:8.2f} ({r['against_torch']:.3f})", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench --peers")
    parser.add_argument("vitrine", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--variants", default="vit-s16,vit-b16")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.vitrine, options.folder = options.vitrine.resolve(), options.folder.resolve()
    machine = json.loads(subprocess.run([options.vitrine, "info", "--machine", "--json"], check=True, capture_output=True).stdout)
    if not options.json:
        print(f"{machine['processor']}, {machine['processors']} processors; products: {machine['products']}. "
              "Medians; in brackets ours divided by theirs, run by run.")
    rows = []
    for variant in options.variants.split(","):
        for threads in map(int, options.threads.split(",")):
            rows.append(measure(options, variant, threads))
            if not options.json:
                print_row(rows[-1])
    if options.json:
        print(json.dumps({"machine": machine, "rows": rows}, indent=2))


main()
