import type { Kind } from '../incident.ts';
import { fill, standingProcess } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { climb } from '../world/signal.ts';

/** Incident: a process leaks memory for hours, so slowly that the hour before the alert looks like the hour before that. */
export const gradualLeak: Kind = {
  name: 'gradual leak',
  sort: 'exhaustion',
  make: untilFired([3, 5], (opened) => {
    const scene = { ...opened, historyHours: 24 };
    const { random, host, onset } = scene;
    const culprit = standingProcess(random, host);
    const usual = host.signals.get('memory_percent')?.at(onset) ?? 50;
    const hours = random.between(3, 7);
    fill(
      host,
      culprit,
      climb((((96 - usual) / 100) * host.memory) / hours, onset, ((97 - usual) / 100) * host.memory),
    );
    const threshold = thresholdBelow(host, 'memory_percent', onset, 95, random.between(0.5, 0.9));
    return closeScene(scene, 'memory_percent', threshold, {
      cause: { host: host.name, subject: 'process', names: [culprit.name], metrics: null, kind: null },
    });
  }),
};
