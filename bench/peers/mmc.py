"""M/M/c with a timeout and retries on Python's heapq: the same model as bench/sim-mmc.ts.

Usage: python3 mmc.py RATE SERVERS SERVICE_MS TIMEOUT_MS ATTEMPTS BACKOFF_MS SECONDS SEED
Prints: clients calls succeeded wall_seconds
"""
import heapq
import random
import sys
import time
from collections import deque


def simulate(rate, servers, service_ms, timeout_ms, attempts, backoff_ms, seconds, seed):
    rng = random.Random(seed)
    heap = []
    queue = deque()
    push, pop = heapq.heappush, heapq.heappop
    until = seconds * 1000
    clients = calls = succeeded = busy = sequence = 0
    now = 0.0
    ARRIVE, SERVED, TIMEOUT, RETRY = range(4)

    def serve(call):
        nonlocal busy, sequence
        busy += 1
        sequence += 1
        push(heap, (now + rng.expovariate(1) * service_ms, sequence, SERVED, call))

    def attempt(number):
        nonlocal calls, sequence
        calls += 1
        call = [number, False]  # which attempt, and whether it is over for its caller
        sequence += 1
        push(heap, (now + timeout_ms, sequence, TIMEOUT, call))
        if busy < servers:
            serve(call)
        else:
            queue.append(call)

    push(heap, (0.0, 0, ARRIVE, None))
    while heap:
        now, _, kind, what = pop(heap)
        if kind == SERVED:
            busy -= 1
            if queue:
                serve(queue.popleft())
            if not what[1]:
                what[1] = True
                succeeded += 1
        elif kind == TIMEOUT:
            if not what[1]:
                what[1] = True
                if what[0] < attempts:
                    sequence += 1
                    push(heap, (now + backoff_ms, sequence, RETRY, what[0] + 1))
        elif kind == RETRY:
            attempt(what)
        elif now < until:
            clients += 1
            attempt(1)
            sequence += 1
            push(heap, (now + rng.expovariate(1) * 1000 / rate, sequence, ARRIVE, None))
    return clients, calls, succeeded


if __name__ == "__main__":
    rate, servers, service_ms, timeout_ms, attempts, backoff_ms, seconds, seed = map(float, sys.argv[1:9])
    began = time.perf_counter()
    result = simulate(rate, int(servers), service_ms, timeout_ms, int(attempts), backoff_ms, seconds, int(seed))
    print(*result, time.perf_counter() - began)
