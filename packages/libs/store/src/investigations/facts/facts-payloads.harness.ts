import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import { metricsOf, type Payload } from '@tidewatch/contracts/ingest/sample';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The interval between two payloads, ms: four a minute. */
export const EVERY = 15_000;
/** How long before the end a fault of `victim` and one of `moved` began. */
export const TROUBLE_MINUTES = 10;
/** How long before the end the disk of `moved` and the latency of `victim` became slow. */
export const OLD_TROUBLE_MINUTES = 140;

/** Two filesystems, of which one fills up. */
function partsOf(isTrouble: boolean): Pick<Payload, 'parts'> {
  return { parts: { shape: FILESYSTEMS, values: [isTrouble ? 97 : 40, 3, 20] } };
}

const FILESYSTEMS = shapeOf({
  kinds: ['filesystem', 'filesystem'],
  names: ['/var', '/'],
  labels: [null, null],
  metrics: ['used_percent', 'inodes_used_percent', 'used_percent'],
  ends: [2, 3],
});

/** Payloads of hosts that behave alike, of two that have a fault, and of one whose disk has been slow for long. */
export function* payloadsOf(host: string, start: number, to: number): Generator<Payload> {
  for (let time = start; time < to; time += EVERY) {
    const isTrouble = time >= to - TROUBLE_MINUTES * MINUTE_MS;
    const isOldTrouble = time >= to - OLD_TROUBLE_MINUTES * MINUTE_MS;
    const turn = Math.floor(time / EVERY) % 4;
    const cpu = (isTrouble && host === 'victim' ? 92 : 20) + turn;
    yield {
      host,
      time,
      ...metricsOf({
        cpu_percent: cpu,
        ...(host === 'victim' && { still_percent: 50, latency_ms: (isOldTrouble ? 80 : 20) + turn }),
        ...(host === 'moved' && {
          queue_count: isTrouble || time >= to - 20 * MINUTE_MS ? 500 : 9 + turn,
          disk_io_wait_percent: (isOldTrouble ? 40 : 2) + turn / 2,
        }),
      }),
      tags: {
        role: host === 'moved' ? 'db' : host === 'other' ? 'cache' : 'web',
        ...(host === 'victim' && { version: time >= to - 15 * MINUTE_MS ? '2' : '1' }),
      },
      ...(host === 'victim' && {
        processes: [
          { name: 'worker', pid: 1, cpu_percent: 2, memory_rss: 1_000 },
          { name: 'worker', pid: 2, cpu_percent: 3, memory_rss: 2_000 },
          ...(isTrouble ? [{ name: 'job', pid: 9, cpu_percent: 70, memory_rss: 5_000 }] : []),
        ],
        ...partsOf(isTrouble),
        containers: [{ name: 'api', image: 'api:1', status: 'running', cpu_percent: 4, memory_usage: 7_000 }],
      }),
    };
  }
}
