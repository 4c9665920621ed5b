import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Host } from './host.ts';
import type { MetricName } from './natures.ts';
import type { Random } from './random.ts';
import { step } from './signal.ts';

/** The lengths of history that the investigation of an unquiet fleet has, hours. */
export const UNQUIET_HISTORY_HOURS = [5 / 60, 0.5, 3, 24] as const;
/** Loud changes begin at random within so much time before the onset, and end at random, ms. */
const BEFORE_MS = 6 * HOUR_MS;
const AFTER_MS = 10 * MINUTE_MS;

/** What changes loudly in a fleet without being the cause of anything. */
const LOUD: readonly MetricName[] = [
  'disk_read_bytes_per_second',
  'disk_write_bytes_per_second',
  'network_receive_bytes_per_second',
  'network_transmit_bytes_per_second',
  'requests_per_second',
  'connections',
  'context_switches_per_second',
];

/**
 * Makes a fleet as loud as real ones are: backups and traffic that multiply a rate for minutes to hours on any host, and other
 * hosts that are idle.
 */
export function unsettle(random: Random, host: Host, peers: readonly Host[], onset: number): void {
  for (const peer of peers) if (random.chance(0.25)) becomeIdle(peer);
  for (const each of [host, ...peers])
    for (const metric of LOUD) {
      const signal = each.signals.get(metric);
      if (signal === undefined || !random.chance(0.2)) continue;
      const from = onset + random.between(-BEFORE_MS, AFTER_MS);
      signal.multiply(
        step(
          random.between(1, 6),
          from,
          random.between(0, MINUTE_MS),
          from + random.between(5, 120) * MINUTE_MS,
        ),
      );
    }
}

/** Leaves out some metrics that no part of the incident has changed, as agents of different kinds report different ones. */
export function withoutSome(random: Random, host: Host, needed: MetricName): Host {
  const signals = [...host.signals].filter(
    ([metric, signal]) => metric === needed || signal.isAffected || !random.chance(0.25),
  );
  return { ...host, signals: new Map(signals) };
}

/** Nearly nothing happens on the host: it uses a hundredth of what it did. */
function becomeIdle({ signals }: Host): void {
  for (const [metric, signal] of signals) if (metric !== 'memory_percent') signal.scale(0.01);
}
