import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { affect } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';
import { step } from '../world/signal.ts';

/**
 * Incident: an unmeasured cause makes the host slow: latency and errors rise, and other metrics move by chance only. Any
 * named cause is wrong.
 */
export const unseenCause: Kind = {
  name: 'cause that nothing shows',
  sort: 'none',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset } = scene;
    const base = host.signals.get('latency_ms')?.at(onset - MINUTE_MS) ?? 30;
    const slower = base * random.between(1.5, 5);
    affect(host, 'latency_ms', step(slower, onset, random.between(0, MINUTE_MS)));
    if (random.chance(0.7)) affect(host, 'latency_p95_ms', step(4 * slower, onset, MINUTE_MS));
    if (random.chance(0.4)) affect(host, 'errors_per_second', step(random.between(0.5, 4), onset, MINUTE_MS));
    if (random.chance(0.4)) affect(host, 'queue_length', step(random.between(3, 30), onset, MINUTE_MS));
    return closeScene(scene, 'latency_ms', thresholdBelow(host, 'latency_ms', onset, base + slower, 0.5), {
      cause: null,
    });
  }),
};
