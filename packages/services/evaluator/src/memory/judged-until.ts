import type { SampleBatch } from '@tidewatch/contracts/sample';
import type { Sql } from '@tidewatch/store/connection';
import { partitionsAhead } from '@tidewatch/store/offsets/partitions-ahead';
import type { JudgedService } from './judged-service.ts';
import type { Ownership } from './ownership.ts';

/** The newest sample time of a service, ms, that may count as judged; Infinity where all that is stored was. */
export type JudgedUntil = (service: Pick<JudgedService, 'organizationId' | 'host'>) => number;

/** As where samples and verdicts are stored in one transaction. */
const ALL_STORED: JudgedUntil = () => Number.POSITIVE_INFINITY;

/**
 * What of the stored samples was judged, to be asked after these were read. A writer of its own may be ahead of us:
 * then only what lies before the first sample that we are about to judge counts, and nothing where that is not known.
 */
export async function judgedUntil(
  sql: Sql,
  owned: Ownership,
  coming: readonly SampleBatch[] = [],
): Promise<JudgedUntil> {
  if (!owned.isAssigned) return ALL_STORED;
  const ahead = await partitionsAhead(sql, 'writer', 'evaluator');
  const firstTimes = ahead.size > 0 ? firstTimesOf(coming) : new Map<string, number>();
  return ({ organizationId, host }) => {
    if (!ahead.has(owned.partitionOf(organizationId, host))) return Number.POSITIVE_INFINITY;
    const first = firstTimes.get(`${organizationId}/${host}`);
    return first === undefined ? Number.NEGATIVE_INFINITY : first - 1;
  };
}

function firstTimesOf(requests: readonly SampleBatch[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { organizationId, payloads } of requests) {
    for (const { host, time } of payloads) {
      const key = `${organizationId}/${host}`;
      times.set(key, Math.min(time, times.get(key) ?? time));
    }
  }
  return times;
}
