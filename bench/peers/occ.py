"""Contention with backoff on Python's heapq: the same model as bench/sim-occ.ts.

Usage: python3 occ.py CLIENTS KIND BASE_MS CAP_MS TRIALS     KIND: none exponential full equal decorrelated
Prints: calls last_ms wall_seconds     (the first two are means over the trials)
"""
import heapq
import random
import sys
import time


def simulate(clients, kind, base, cap, rng):
    heap = []
    sequence = 0
    version = calls = 0
    now = 0.0

    def one_way():
        return abs(rng.gauss(10, 2))

    def backoff(failures, previous):
        if kind == "none":
            return 0.0
        if kind == "decorrelated":
            return min(cap, rng.uniform(base, 3 * max(base, previous)))
        most = min(cap, base * 2**failures)
        if kind == "full":
            return rng.uniform(0, most)
        if kind == "equal":
            return most / 2 + rng.uniform(0, most / 2)
        return most

    def push(at, kind_of_event, failures, wait, value):
        nonlocal sequence
        sequence += 1
        heapq.heappush(heap, (at, sequence, kind_of_event, failures, wait, value))

    for _ in range(clients):
        push(one_way(), 0, 0, 0.0, None)
    while heap:
        now, _, event, failures, wait, value = heapq.heappop(heap)
        if event == 0:
            push(now + one_way() + one_way(), 1, failures, wait, version)
        elif event == 1:
            calls += 1
            succeeds = value == version
            if succeeds:
                version += 1
            push(now + one_way(), 2, failures, wait, succeeds)
        elif not value:
            wait = backoff(failures + 1, wait)
            push(now + wait + one_way(), 0, failures + 1, wait, None)
    return calls, now


if __name__ == "__main__":
    clients, kind, base, cap, trials = sys.argv[1:6]
    rng = random.Random(1)
    began = time.perf_counter()
    results = [simulate(int(clients), kind, float(base), float(cap), rng) for _ in range(int(trials))]
    wall = time.perf_counter() - began
    print(*(sum(column) / len(results) for column in zip(*results)), wall)
