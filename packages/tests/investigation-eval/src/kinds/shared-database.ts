import type { Kind } from '../incident.ts';
import { affect, burn, type Host, standingProcess } from '../world/host.ts';
import { closeScene, type Scene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

/** Incident: a database that several hosts query becomes slow and slows them all. It changes first, but not the most. */
export const sharedDatabase: Kind = {
  name: 'shared database host slow',
  sort: 'propagation',
  make: untilFired([6, 10], (scene) => {
    const { random, host, peers, onset } = scene;
    const database = random.pick(peers);
    database.tags['group'] = 'db';
    const others = peers.filter((peer) => peer !== database);
    // At least one host is affected, because a database without other users is not shared.
    const affected = others.filter((_, nth) => nth === 0 || random.chance(0.6));
    burn(
      database,
      standingProcess(random, database),
      step(database.cores * random.between(30, 60), onset, 30_000),
    );
    affect(database, 'disk_io_wait_percent', step(random.between(10, 30), onset, 30_000));
    const shape = waves(scene);
    slow(database, random.between(1.5, 3), shape, onset);
    const slower = random.between(2, 6);
    for (const one of [host, ...affected]) {
      const lag = random.between(0, 3_000);
      const factor = one === host ? slower : random.between(1.5, 7);
      slow(one, factor, (time) => shape(time - lag), onset + random.between(5_000, 40_000));
    }
    const base = host.signals.get('latency_ms')?.at(onset - 60_000) ?? 30;
    return closeScene(
      scene,
      'latency_ms',
      thresholdBelow(host, 'latency_ms', onset, base * (1 + slower * 0.7), 0.5),
      {
        cause: { host: database.name, subject: 'host', names: null, metrics: null, kind: null },
      },
    );
  }),
};

/** The trouble comes in waves, which all hosts that use the database show alike. */
function waves({ random, onset }: Scene): (time: number) => number {
  const period = random.between(90_000, 300_000);
  const depth = random.between(0, 0.4);
  return (time) => 1 - depth + depth * Math.sin((2 * Math.PI * (time - onset)) / period);
}

function slow(host: Host, factor: number, shape: (time: number) => number, from: number): void {
  for (const metric of ['latency_ms', 'latency_p95_ms'] as const) {
    const rise = step(factor * (host.signals.get(metric)?.at(from - 60_000) ?? 50), from, 45_000);
    affect(host, metric, (time) => rise(time) * shape(time));
  }
  affect(host, 'queue_length', step(factor * 3, from, 45_000));
}
