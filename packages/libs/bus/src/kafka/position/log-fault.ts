import { REMEDY } from './topic-identity.ts';

/** The records of a log: from `low` up to `high`, without `high`. */
export interface LogRange {
  low: bigint;
  high: bigint;
}

export interface FetchedRecord {
  offset: bigint;
  fingerprint: number;
}

/** A reason to stop reading until an operator decides, since continuing would lose or duplicate samples. */
export type Fault =
  | { kind: 'shortened'; partition: number; high: bigint; next: bigint }
  | { kind: 'lacking'; partition: number; from: bigint; to: bigint }
  | { kind: 'replaced'; partition: number; offset: bigint };

/** Describes a fault in a sentence for operators. */
export function describeFault(topic: string, fault: Fault): string {
  const where = `${topic}/${fault.partition}`;
  switch (fault.kind) {
    case 'shortened':
      return `${where} ends at ${fault.high}, but ${fault.next} was read before: it was emptied or recreated. ${REMEDY}`;
    case 'lacking':
      return `${where} lacks the records ${fault.from} to ${fault.to - 1n}, which were not read yet. ${REMEDY}`;
    case 'replaced':
      return `${where} has another record at ${fault.offset} than the one that was applied: the topic was recreated. ${REMEDY}`;
  }
}
