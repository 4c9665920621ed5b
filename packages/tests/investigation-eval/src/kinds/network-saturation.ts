import type { Kind } from '../incident.ts';
import { affect } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { Signal, step } from '../world/signal.ts';

/** Incident: a network link is used up to its capacity, and an alert on latency fires. */
export const networkSaturation: Kind = {
  name: 'network saturation',
  sort: 'exhaustion',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset, span } = scene;
    const metric = random.pick([
      'network_transmit_bytes_per_second',
      'network_receive_bytes_per_second',
    ] as const);
    const usual = host.signals.get(metric);
    if (usual === undefined) throw new Error(`no metric ${metric}`);
    const capacity = 1.5 * highest(usual, onset) * random.between(1, 4);
    const link = new Signal(
      { base: 0, rhythm: 0, slow: 0, fast: capacity * 0.004, alike: 0 },
      random,
      span.begin,
      span.end,
    );
    usual.add(step(capacity * random.between(1.5, 4), onset, 45_000));
    usual.limit((time) => capacity + link.at(time));
    const slower = random.between(2, 6);
    for (const name of ['latency_ms', 'latency_p95_ms'] as const) {
      const base = host.signals.get(name)?.at(onset - 60_000) ?? 50;
      affect(
        host,
        name,
        step(base * slower * random.between(0.8, 1.2), onset + random.between(0, 40_000), 60_000),
      );
    }
    if (random.chance(0.6))
      affect(host, 'queue_length', step(random.between(10, 80), onset + 20_000, 60_000));
    if (random.chance(0.6))
      affect(host, 'errors_per_second', step(random.between(0.5, 5), onset + 30_000, 60_000));
    const alerting = random.pick(['latency_ms', 'latency_p95_ms'] as const);
    const base = host.signals.get(alerting)?.at(onset - 60_000) ?? 50;
    return closeScene(
      scene,
      alerting,
      thresholdBelow(host, alerting, onset, base * (1 + slower * 0.8), 0.5),
      {
        cause: { host: host.name, subject: 'host', names: null, metrics: [metric], kind: null },
      },
    );
  }),
};

function highest(signal: Signal, onset: number): number {
  let most = 0;
  for (let time = onset - 86_400_000; time < onset; time += 300_000) most = Math.max(most, signal.at(time));
  return most;
}
