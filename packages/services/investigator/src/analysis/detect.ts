import { setImmediate as yieldOnce } from 'node:timers/promises';
import type { Detector } from '@tidewatch/domain/investigation/detector';
import type { Facts } from '@tidewatch/domain/investigation/facts';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';

export interface DetectOptions {
  detectors: readonly Detector[];
  /** Aborts the analysis between two detectors. */
  signal: AbortSignal;
  /** Checked between two detectors; once it is true the remaining detectors are skipped. */
  isLate: () => boolean;
  /** Called after each detector that found something, with all findings so far. */
  onFound(detector: string, drafts: readonly FindingDraft[]): void;
  /** Called for a detector that throws; the others continue. */
  onFailure(detector: string, error: unknown): void;
}

/** Runs one detector after the other and yields to the event loop in between. */
export async function detect(facts: Facts, options: DetectOptions): Promise<FindingDraft[]> {
  const drafts: FindingDraft[] = [];
  for (const detector of options.detectors) {
    await yieldOnce();
    options.signal.throwIfAborted();
    if (options.isLate()) break;
    let found: readonly FindingDraft[] = [];
    try {
      found = detector.detect(facts);
    } catch (error) {
      options.onFailure(detector.name, error);
    }
    if (found.length === 0) continue;
    drafts.push(...found);
    options.onFound(detector.name, drafts);
  }
  return drafts;
}
