import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Sql } from '@tidewatch/store/database/connection';
import { compareConsumers } from '@tidewatch/store/offsets/compare-consumers';
import type { EvaluatedService } from './evaluated-service.ts';
import type { Ownership } from './ownership.ts';

type Named = Pick<EvaluatedService, 'organizationId' | 'host'>;

/** How the stored samples of a service stand to what was evaluated of it. */
export interface WriterPosition {
  /** The newest sample time that may count as evaluated, ms; Infinity where all that is stored was. */
  evaluatedUntil(service: Named): number;
  /** Whether something that was evaluated may not be stored yet. */
  lacks(service: Named): boolean;
}

/** As where samples and verdicts are stored in one transaction. */
const TOGETHER: WriterPosition = { evaluatedUntil: () => Number.POSITIVE_INFINITY, lacks: () => false };

/**
 * Compares a writer of its own with us, to be asked after samples were read. Where it is ahead, only what lies before
 * the first sample that we are about to evaluate counts as evaluated, and nothing where that is not known.
 */
export async function readWriterPosition(
  sql: Sql,
  owned: Ownership,
  coming: readonly SampleBatch[] = [],
): Promise<WriterPosition> {
  if (!owned.isAssigned) return TOGETHER;
  const { ahead, behind } = await compareConsumers(sql, 'writer', 'evaluator');
  const firstTimes = ahead.size > 0 ? firstTimesOf(coming) : new Map<string, number>();
  return {
    evaluatedUntil({ organizationId, host }) {
      if (!ahead.has(owned.partitionOf(organizationId, host))) return Number.POSITIVE_INFINITY;
      const first = firstTimes.get(`${organizationId}/${host}`);
      return first === undefined ? Number.NEGATIVE_INFINITY : first - 1;
    },
    lacks: ({ organizationId, host }) => behind.has(owned.partitionOf(organizationId, host)),
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
