import { setImmediate as yieldOnce } from 'node:timers/promises';
import type { Detector } from '@tidewatch/domain/investigation/detector';
import type { Facts } from '@tidewatch/domain/investigation/facts';
import type { FindingDraft } from '@tidewatch/domain/investigation/finding';

export interface DetectOptions {
  detectors: readonly Detector[];
  /** Ends the detecting between two detectors, with its reason. */
  signal: AbortSignal;
  /** Between two detectors, once it is true the rest is left out. */
  isLate: () => boolean;
  /** After each detector that found something, with all that was found so far. */
  onFound(detector: string, drafts: readonly FindingDraft[]): void;
  /** A detector that throws is left out, and the others go on. */
  onFailure(detector: string, error: unknown): void;
}

/** Runs one detector after the other and lets others have the event loop in between. */
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
