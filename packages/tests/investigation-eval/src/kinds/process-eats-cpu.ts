import type { Kind } from '../incident.ts';
import { burn, makeUser, standingProcess } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

const MEBIBYTE = 2 ** 20;

/** Incident: a process begins to use a processor fully, either a new process or a permanent one. */
export const processEatsCpu: Kind = {
  name: 'process eats CPU',
  sort: 'exhaustion',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset, span } = scene;
    const fresh = random.chance(0.5);
    const culprit = fresh
      ? {
          ...makeUser(random, 'stress', 0.5, 80 * MEBIBYTE, span, 1),
          alive: (time: number) => time >= onset,
        }
      : standingProcess(random, host);
    if (fresh) host.processes.push(culprit);
    const size = host.cores * random.between(35, 70);
    burn(host, culprit, step(size, onset, random.between(0, 60_000)));
    const usual = host.signals.get('cpu_percent')?.at(onset - 600_000) ?? 0;
    const trouble = Math.min(97, usual + (size / host.cores) * 0.85);
    const metric = random.chance(0.75) ? 'cpu_percent' : 'load_1';
    const threshold =
      metric === 'cpu_percent'
        ? thresholdBelow(host, metric, onset, trouble, random.between(0.4, 0.8))
        : thresholdBelow(
            host,
            metric,
            onset,
            (host.signals.get(metric)?.at(onset - 600_000) ?? 1) + size / 100,
            0.5,
          );
    return closeScene(scene, metric, threshold, {
      cause: { host: host.name, subject: 'process', names: [culprit.name], metrics: null, kind: null },
    });
  }),
};
