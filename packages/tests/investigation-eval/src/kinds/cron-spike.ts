import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { PastAlertFacts } from '@tidewatch/domain/investigation/facts';
import type { Kind } from '../incident.ts';
import { burn, makeJob } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';

/** Incident: a job that runs every few hours, or daily at the same time, and has fired alerts before. */
export const cronSpike: Kind = {
  name: 'cron spike',
  sort: 'exhaustion',
  make: untilFired([3, 5], (scene) => {
    const { random, host, onset, span } = scene;
    const period = random.pick([2, 6, 24, 24]) * HOUR_MS;
    const length = random.between(15, 25) * MINUTE_MS;
    const during = (time: number) => (((time - onset) % period) + period) % period < length;
    const job = makeJob(random, random.pick(['pg_dump', 'report-job', 'reindex']), span, during);
    const size = host.cores * random.between(40, 75);
    host.processes.push(job);
    const before = thresholdBelow(host, 'cpu_percent', onset, 97, random.between(0.35, 0.6));
    burn(host, job, (time) => (during(time) ? size : 0));
    const past: PastAlertFacts[] = Array.from({ length: Math.min(30, random.whole(2, 12)) }, (_, nth) => ({
      serviceId: host.serviceId,
      host: host.name,
      id: `alr_${nth}`,
      ruleId: 'rul_1',
      metric: 'cpu_percent',
      firedAt: onset - (nth + 1) * period + 5 * MINUTE_MS,
      resolvedAt: onset - (nth + 1) * period + length,
      investigation: null,
    }));
    return closeScene(scene, 'cpu_percent', before, {
      cause: { host: host.name, subject: 'process', names: [job.name], metrics: null, kind: null },
      past,
    });
  }),
};
