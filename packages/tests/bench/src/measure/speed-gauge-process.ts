import { setTimeout as sleep } from 'node:timers/promises';

/** Work of some milliseconds that fits a processor's cache. */
const TEXT = JSON.stringify(
  Array.from({ length: 200 }, (_, index) => ({
    host: `host-${index}`,
    metrics: Object.fromEntries(
      Array.from({ length: 10 }, (__, metric) => [`metric_${metric}`, index + metric / 4]),
    ),
  })),
);
const PARSED_A_UNIT = 10;
/** So long after each unit: the gauge is to see the load, not to be one. */
const PAUSE_MS = 45;
/** Until what is measured is compiled. */
const WARM_UNITS = 50;

function work(): void {
  for (let round = 0; round < PARSED_A_UNIT; round += 1) JSON.parse(TEXT);
}

for (let unit = 0; unit < WARM_UNITS; unit += 1) work();
let units = 0;
let microseconds = 0;
while (process.connected) {
  const before = process.threadCpuUsage();
  work();
  const spent = process.threadCpuUsage(before);
  units += 1;
  microseconds += spent.user + spent.system;
  process.send?.({ units, cpuSeconds: microseconds / 1e6 });
  await sleep(PAUSE_MS);
}
