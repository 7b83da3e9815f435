"""A queue at one counter: waiting times by event."""
import heapq

import numpy as np

rng = np.random.RandomState(12)
arrivals = np.cumsum(rng.exponential(1.0, size=40))
services = rng.exponential(0.8, size=40)
events = []
for number, (arrival, service) in enumerate(zip(arrivals, services)):
    heapq.heappush(events, (float(arrival), number, float(service)))
free = 0.0
waits = []
while events:
    arrival, number, service = heapq.heappop(events)
    start = max(arrival, free)
    waits.append(start - arrival)
    free = start + service
waits = np.array(waits)
quantiles = np.percentile(waits, [50, 90])
busy = services.sum() / free
print("mean wait %.2f, median %.2f, 90%% %.2f" % (waits.mean(), quantiles[0], quantiles[1]))
print("busy %.0f %%" % (100 * busy))
