import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { source } from '../world/gather.ts';
import { affect } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

/**
 * Incident: a new version is deployed to some hosts and is slower there; a marker or a changed tag records the deployment.
 */
export const badDeploy: Kind = {
  name: 'bad deploy on a tag',
  sort: 'propagation',
  make: untilFired([6, 12], (scene) => {
    const { random, host, peers, onset } = scene;
    const canaries = [host, ...peers.filter((_, nth) => nth === 0 || random.chance(0.4))];
    const size = random.between(1.5, 4);
    for (const canary of canaries) {
      canary.tags['version'] = '1.4.2';
      const from = onset + random.between(0, 50_000);
      for (const metric of ['latency_ms', 'latency_p95_ms'] as const)
        affect(
          canary,
          metric,
          step(
            (canary.signals.get(metric)?.at(onset - MINUTE_MS) ?? 50) * size * random.between(0.8, 1.2),
            from,
            30_000,
          ),
        );
      if (random.chance(0.7)) affect(canary, 'errors_per_second', step(random.between(0.5, 4), from, 30_000));
    }
    const base = host.signals.get('latency_ms')?.at(onset - MINUTE_MS) ?? 30;
    const at = onset - random.between(5_000, 4 * MINUTE_MS);
    return closeScene(
      scene,
      'latency_ms',
      thresholdBelow(host, 'latency_ms', onset, base * (1 + size * 0.7), 0.5),
      {
        cause: {
          host: null,
          subject: 'tag',
          names: ['version=1.4.2', 'version:1.4.2', '1.4.2'],
          metrics: null,
          kind: null,
        },
        changes: random.chance(0.7)
          ? [
              {
                kind: random.pick(['marker', 'tag'] as const),
                id: 'mrk_1',
                at,
                title: 'deploy of 1.4.2',
                tags: { version: '1.4.2' },
                hosts: canaries.map(({ serviceId, name }) => ({ serviceId, host: name })),
                source: source('changes', at - MINUTE_MS, onset),
              },
            ]
          : [],
      },
    );
  }),
};
