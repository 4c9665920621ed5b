import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { PastAlertFacts } from '@tidewatch/domain/investigation/facts';
import type { Kind } from '../incident.ts';
import { burn, standingProcess } from '../world/host.ts';
import { closeScene, thresholdBelow, untilFired } from '../world/scene.ts';

/** Incident: a process is busy for some minutes, idle, then busy again, so that the alert fires and resolves repeatedly. */
export const flapping: Kind = {
  name: 'flapping',
  sort: 'exhaustion',
  make: untilFired([3, 5], (opened) => {
    const { random, host, onset } = opened;
    const on = random.between(2.5, 6) * MINUTE_MS;
    const off = random.between(2, 6) * MINUTE_MS;
    const turns = random.whole(0, 4);
    // The process has alternated several times before the investigated alert.
    const begin = onset - turns * (on + off);
    const scene = {
      ...opened,
      durationMs: random.pick(opened.setting.intervalMs < MINUTE_MS ? [1, 2] : [0, 1, 2]) * MINUTE_MS,
    };
    const culprit = standingProcess(random, host);
    const size = host.cores * random.between(40, 70);
    const usual = host.signals.get('cpu_percent')?.at(onset - 10 * MINUTE_MS) ?? 20;
    const threshold = thresholdBelow(
      host,
      'cpu_percent',
      begin,
      Math.min(97, usual + size / host.cores),
      random.between(0.4, 0.7),
    );
    burn(host, culprit, (time) => (time >= begin && (time - begin) % (on + off) < on ? size : 0));
    const past: PastAlertFacts[] = Array.from({ length: turns }, (_, nth) => ({
      serviceId: host.serviceId,
      host: host.name,
      id: `alr_${nth}`,
      ruleId: 'rul_1',
      metric: 'cpu_percent',
      firedAt: onset - (nth + 1) * (on + off) + scene.durationMs,
      resolvedAt: onset - (nth + 1) * (on + off) + on,
      investigation: null,
    }));
    return closeScene(scene, 'cpu_percent', threshold, {
      cause: { host: host.name, subject: 'process', names: [culprit.name], metrics: null, kind: null },
      past,
    });
  }),
};
