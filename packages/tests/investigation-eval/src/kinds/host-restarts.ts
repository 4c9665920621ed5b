import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { affect, burn } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

/** Incident: the host restarts; processes are slow and busy until their caches are warm. */
export const hostRestarts: Kind = {
  name: 'host restarts',
  sort: 'exhaustion',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset } = scene;
    const down = random.between(1, 3) * MINUTE_MS;
    const up = onset + down;
    const before = host.bootedAt;
    const restarted = { ...host, bootedAt: (time: number) => (time >= up ? up : before(time)) };
    const busy = random.between(10, 20) * MINUTE_MS;
    const base = host.signals.get('latency_ms')?.at(onset - MINUTE_MS) ?? 30;
    const slower = base * random.between(2, 5);
    const shown = host.processes.map((process, nth) => ({
      ...process,
      pid: (time: number) => process.pid(time) + (time >= up ? 7 + nth : 0),
    }));
    for (const process of random.chance(0.7) ? shown.slice(0, 6) : shown.slice(0, 3))
      burn(host, process, (time) =>
        time >= up && time < up + busy ? host.cores * random.between(6, 6.1) : 0,
      );
    affect(host, 'latency_ms', step(slower, up, 0, up + busy));
    const metric = random.pick(['latency_ms', 'cpu_percent'] as const);
    const usual = host.signals.get('cpu_percent')?.at(onset - MINUTE_MS) ?? 20;
    const trouble = metric === 'latency_ms' ? base + slower : usual + 30;
    const threshold = thresholdBelow(host, metric, onset, trouble, 0.4);
    return closeScene({ ...scene, onset: up, host: { ...restarted, processes: shown } }, metric, threshold, {
      cause: { host: host.name, subject: 'host', names: null, metrics: null, kind: 'restart' },
      silent: (time) => time >= onset && time < up,
    });
  }),
};
