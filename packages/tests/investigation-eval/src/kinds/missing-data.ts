import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { gather } from '../world/gather.ts';
import { innocentChanges, openScene } from '../world/scene.ts';

/** Incident: the host or one of its metrics becomes silent, and no data shows why. */
export const missingData: Kind = {
  name: 'missing data',
  sort: 'none',
  make(setting) {
    const scene = openScene(setting, [3, 5]);
    const { random, host, peers, onset, historyHours } = scene;
    const metric = random.pick(['cpu_percent', 'memory_percent', 'latency_ms'] as const);
    const pendingSince = onset + random.between(0, MINUTE_MS);
    const firedAt = pendingSince + random.pick([5, 10]) * MINUTE_MS;
    const whole = random.chance(0.6);
    const facts = gather({
      setting,
      host,
      peers,
      rule: { metric, threshold: 90, durationMs: firedAt - pendingSince },
      firing: { pendingSince, firedAt },
      historyHours,
      changes: innocentChanges(scene),
      noData: true,
      ...(whole
        ? { silent: (time: number) => time >= onset }
        : { missing: (name: string, time: number) => name === metric && time >= onset }),
    });
    return { facts, cause: null };
  },
};
