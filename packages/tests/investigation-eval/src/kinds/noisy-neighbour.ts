import type { Kind } from '../incident.ts';
import { affect, burn, standingProcess } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

/** Incident: another virtual machine on the same hardware is busy, so that the alerting host waits for processors. */
export const noisyNeighbour: Kind = {
  name: 'noisy neighbour',
  sort: 'propagation',
  make: untilFired([6, 10], (scene) => {
    const { random, host, peers, onset } = scene;
    const neighbour = random.pick(peers);
    neighbour.tags['rack'] = host.tags['rack'] ?? 'r1';
    burn(
      neighbour,
      standingProcess(random, neighbour),
      step(neighbour.cores * random.between(45, 70), onset, 30_000),
    );
    affect(neighbour, 'disk_write_bytes_per_second', step(random.between(1e7, 8e7), onset, 30_000));
    const delay = random.between(5_000, 60_000);
    affect(host, 'cpu_steal_percent', step(random.between(15, 40), onset + delay, 30_000));
    const base = host.signals.get('latency_ms')?.at(onset - 60_000) ?? 30;
    const slower = base * random.between(2, 5);
    affect(host, 'latency_ms', step(slower, onset + delay + random.between(0, 20_000), 60_000));
    affect(host, 'latency_p95_ms', step(4 * slower, onset + delay, 60_000));
    const metric = random.pick(['cpu_steal_percent', 'latency_ms'] as const);
    const trouble = metric === 'latency_ms' ? base + slower : 15;
    return closeScene(scene, metric, thresholdBelow(host, metric, onset, trouble, 0.5), {
      cause: { host: neighbour.name, subject: 'host', names: null, metrics: null, kind: null },
    });
  }),
};
