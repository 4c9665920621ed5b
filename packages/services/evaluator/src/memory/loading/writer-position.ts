import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Sql } from '@tidewatch/database/connection';
import { compareConsumers } from '@tidewatch/store/offsets/compare-consumers';
import type { EvaluatedService } from '../evaluated-service.ts';
import type { Ownership } from '../ownership.ts';

type Named = Pick<EvaluatedService, 'organizationId' | 'host'>;

/** How far the writer has stored samples in comparison with the evaluator, for the partition of a host. */
export interface WriterPosition {
  /** Returns the newest sample time that may count as evaluated, ms; Infinity if all stored samples may. */
  evaluatedUntil(service: Named): number;
  /** Whether a sample that is already evaluated may not be stored yet. */
  lacks(service: Named): boolean;
}

/** The position for a writer that stores samples in the evaluator's transactions, so that both always agree. */
const TOGETHER: WriterPosition = { evaluatedUntil: () => Number.POSITIVE_INFINITY, lacks: () => false };

/**
 * Compares the position of a separate writer with that of the evaluator; must be called after samples were read. If the
 * writer is ahead, only samples before the first one of `coming` count as evaluated, or none without such a sample.
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
