import type { Part } from '../part-rows.ts';

/** What a host gets by one protocol of agents of other projects. */
export interface SentByAgent {
  /** "remote write". */
  protocol: string;
  stored: number;
  leftOut: number;
  /** "information 104, bucket 70"; empty where nothing is left out. */
  reasons: string;
  /** Points that were refused in the minute before the report. */
  refused: number;
  /** When it was reported, RFC 3339. */
  time: string;
}

/** What other agents send of a host, by protocol. Our own agent reports a part of the same kind without a protocol. */
export function sentByAgents(parts: readonly Part[]): SentByAgent[] {
  return parts
    .filter(({ kind, labels }) => kind === 'agent' && labels['protocol'] !== undefined)
    .map(({ name, labels, metrics, time }) => ({
      protocol: name.replaceAll('_', ' '),
      stored: metrics['stored_series'] ?? 0,
      leftOut: metrics['left_out_series'] ?? 0,
      reasons: (labels['left_out'] ?? '').replaceAll('_', ' '),
      refused: metrics['rejected_points'] ?? 0,
      time,
    }));
}
