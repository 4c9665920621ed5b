import type { Kind } from '../incident.ts';
import { fill, makeUser, standingProcess } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { climb } from '../world/signal.ts';

/** Incident: a container uses more and more memory within an hour or two; often a process of the host does too. */
export const containerLeaksMemory: Kind = {
  name: 'container leaks memory',
  sort: 'exhaustion',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset, span } = scene;
    if (host.containers.length === 0)
      host.containers.push(makeUser(random, 'api', 5, 3e8, span, scene.setting.noise));
    const culprit = random.pick(host.containers);
    const usual = host.signals.get('memory_percent')?.at(onset) ?? 50;
    const gain = climb(
      (((95 - usual) / 100) * host.memory) / random.between(0.4, 1.8),
      onset,
      ((97 - usual) / 100) * host.memory,
    );
    fill(host, culprit, gain);
    if (random.chance(0.4)) standingProcess(random, host).memory.add(gain);
    const threshold = thresholdBelow(host, 'memory_percent', onset, 95, random.between(0.5, 0.85));
    return closeScene(scene, 'memory_percent', threshold, {
      cause: { host: host.name, subject: 'container', names: [culprit.name], metrics: null, kind: null },
    });
  }),
};
