import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Sql } from '@tidewatch/database/connection';
import { compareConsumers } from '@tidewatch/store/offsets/compare-consumers';
import type { EvaluatedService } from '../evaluated-service.ts';
import type { Ownership } from '../ownership.ts';

type Named = Pick<EvaluatedService, 'organizationId' | 'host'>;

/** Position of the writer relative to the evaluator, for one host. */
export interface WriterPosition {
  /** Returns the newest sample time that may count as evaluated, ms; Infinity if all stored samples may. */
  evaluatedUntil(service: Named): number;
  /** Returns whether an evaluated sample may not be stored yet. */
  lacks(service: Named): boolean;
}

/** The position of a writer that stores samples and states in one transaction, so that no samples are missing. */
const TOGETHER: WriterPosition = { evaluatedUntil: () => Number.POSITIVE_INFINITY, lacks: () => false };

/**
 * Compares the position of a separate writer with the evaluator’s. Call it after samples were read. If the writer is
 * ahead, only samples before the first one of `coming` count as evaluated, none if there is no such sample.
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
