import {
  type EvidenceContext,
  readAlertEvidence,
  readHostEvidence,
  readPartEvidence,
  readSeriesEvidence,
  readSnapshotEvidence,
} from '@tidewatch/store/investigations/evidence/read-evidence';
import type { EvidenceReader } from '../model/tools/evidence-reader.ts';

/** Creates the reader of stored data of one organization for a model. */
export function storedEvidence(context: EvidenceContext, clock: () => number): EvidenceReader {
  return {
    async series(question, signal) {
      signal.throwIfAborted();
      return readSeriesEvidence(context, question);
    },
    async processes(question, signal) {
      signal.throwIfAborted();
      return readSnapshotEvidence(context, question);
    },
    async parts(question, signal) {
      signal.throwIfAborted();
      return readPartEvidence(context, question);
    },
    async alerts(question, signal) {
      signal.throwIfAborted();
      return readAlertEvidence(context, question);
    },
    async hosts(question, signal) {
      signal.throwIfAborted();
      return readHostEvidence(context, question, clock());
    },
  };
}
