import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { affect, makeUser } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

/** Incident: a container crashes and is restarted repeatedly, so that its requests are slow or fail. */
export const containerCrashes: Kind = {
  name: 'container crash loop',
  sort: 'propagation',
  make: untilFired([3, 5], (opened) => {
    const { random, host, onset, span } = opened;
    if (host.containers.length === 0)
      host.containers.push(makeUser(random, 'api', 5, 3e8, span, opened.setting.noise));
    const culprit = random.pick(host.containers);
    const period = random.between(2, 4) * MINUTE_MS;
    const down = (time: number) => time >= onset && (time - onset) % period < period * 0.6;
    const crashing = {
      ...culprit,
      status: (time: number) => (down(time) ? 'restarting' : 'running'),
      alive: () => true,
    };
    const containers = host.containers.map((container) => (container === culprit ? crashing : container));
    const metric = random.pick(['errors_per_second', 'latency_ms', 'latency_p95_ms'] as const);
    const base = host.signals.get(metric)?.at(onset - MINUTE_MS) ?? 1;
    const size = base * random.between(3, 8) + (metric === 'errors_per_second' ? 3 : 0);
    affect(host, metric, step(size, onset, MINUTE_MS));
    if (random.chance(0.5))
      affect(
        host,
        'requests_per_second',
        step(-0.3 * (host.signals.get('requests_per_second')?.at(onset) ?? 0), onset, MINUTE_MS),
      );
    const threshold = thresholdBelow(host, metric, onset, base + size, 0.5);
    return closeScene({ ...opened, host: { ...host, containers } }, metric, threshold, {
      cause: { host: host.name, subject: 'container', names: [culprit.name], metrics: null, kind: null },
    });
  }),
};
