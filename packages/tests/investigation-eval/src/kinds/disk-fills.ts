import type { Kind } from '../incident.ts';
import { affect } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { climb, step } from '../world/signal.ts';

/** Incident: an unknown process fills the disk, so that the disk itself is the expected cause. */
export const diskFills: Kind = {
  name: 'disk fills',
  sort: 'exhaustion',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset } = scene;
    const usual = host.signals.get('disk_percent')?.at(onset) ?? 50;
    const hours = random.between(0.3, 6);
    affect(host, 'disk_percent', climb((99 - usual) / hours, onset, 99 - usual));
    affect(host, 'disk_write_bytes_per_second', step(random.between(2e6, 6e7), onset, 30_000));
    if (random.chance(0.5)) affect(host, 'disk_io_wait_percent', step(random.between(0.5, 6), onset, 30_000));
    const threshold = thresholdBelow(host, 'disk_percent', onset, 99, random.between(0.5, 0.9));
    return closeScene(scene, 'disk_percent', threshold, {
      cause: {
        host: host.name,
        subject: 'host',
        names: null,
        metrics: ['disk_percent', 'disk_write_bytes_per_second'],
        kind: null,
      },
    });
  }),
};
