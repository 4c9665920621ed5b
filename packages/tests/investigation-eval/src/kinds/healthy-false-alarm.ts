import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Kind } from '../incident.ts';
import { gather } from '../world/gather.ts';
import { innocentChanges, openScene } from '../world/scene.ts';

/**
 * Incident without a cause: the threshold is where the metric always is, or at the max of the last three hours, which
 * chance reaches sooner or later. Hours in which a job ran are excluded, since the job would be a cause.
 */
export const healthyFalseAlarm: Kind = {
  name: 'healthy false alarm',
  sort: 'none',
  make(setting) {
    const scene = openScene(setting, [3, 5]);
    const { random, host, peers, onset, durationMs, historyHours } = scene;
    const metric = random.pick([
      'cpu_percent',
      'memory_percent',
      'latency_ms',
      'load_1',
      'network_transmit_bytes_per_second',
    ] as const);
    const at = (time: number) => host.signals.get(metric)?.at(time) ?? 0;
    const changes = innocentChanges(scene);
    const { intervalMs } = setting;
    const end = Math.ceil(onset / intervalMs) * intervalMs;
    if (random.chance(0.5)) {
      const firing = { pendingSince: end - durationMs, firedAt: end };
      const rule = { metric, threshold: 0.5 * at(end), durationMs };
      return { facts: gather({ setting, host, peers, rule, firing, historyHours, changes }), cause: null };
    }
    let firedAt = end;
    let threshold = at(end) * 0.9;
    const busy = (time: number) =>
      host.processes.some((each) => each.job && (each.alive(time) || each.alive(time - 5 * MINUTE_MS)));
    for (let last = end - 3 * HOUR_MS; last <= end; last += Math.max(intervalMs, MINUTE_MS / 2)) {
      if (busy(last) || busy(last - durationMs)) continue;
      let least = at(last);
      for (let time = last - durationMs; time < last && least > threshold; time += intervalMs)
        least = Math.min(least, at(time));
      if (least > threshold) {
        threshold = least;
        firedAt = last;
      }
    }
    const rule = { metric, threshold: threshold * 0.999, durationMs };
    const firing = { pendingSince: firedAt - durationMs, firedAt };
    return { facts: gather({ setting, host, peers, rule, firing, historyHours, changes }), cause: null };
  },
};
