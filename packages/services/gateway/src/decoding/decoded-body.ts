import type { IngestWarning } from '@tidewatch/contracts/ingest/ingest-warning';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { Fault } from '@tidewatch/contracts/problems/problem';

/** The number of ignored fields for each label of their counter. */
export type IgnoredCounts = Readonly<Record<string, number>>;

/**
 * A decoded body: `payloads` are the valid ones, `rejected` is the number of the others; `faults` are at most a hundred of
 * `faultCount`.
 */
export interface DecodedBody {
  payloads: Payload[];
  /** The JSON Pointer of each of `payloads`. */
  at: string[];
  rejected: number;
  faults: Fault[];
  faultCount: number;
  /** Whether nothing of the body can be decoded, so that lenient handling refuses it too. */
  refused: boolean;
  /** The fields that are ignored, also of payloads with faults. */
  warnings: IngestWarning[];
  ignored: IgnoredCounts;
}
