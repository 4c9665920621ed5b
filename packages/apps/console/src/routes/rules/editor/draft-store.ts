import type { Draft } from '../../../form/form-state.ts';

/** A draft that was left without saving, with the time of its last change. */
export interface StoredDraft {
  draft: Draft;
  at: number;
  /** The version of the rule that it changes; null for a new rule. */
  version: number | null;
}

const PREFIX = 'tidewatch.draft.rule.';

/** The draft of the rule with this id, or of a new one; null if there is none. */
export function storedDraft(id: string): StoredDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(PREFIX + id) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    const { draft, at, version } = value as Partial<StoredDraft>;
    if (typeof draft !== 'object' || draft === null || typeof at !== 'number') return null;
    return { draft, at, version: typeof version === 'number' ? version : null };
  } catch {
    // A browser may refuse storage; the draft then lives as long as the page.
    return null;
  }
}

export function storeDraft(id: string, draft: StoredDraft): void {
  try {
    localStorage.setItem(PREFIX + id, JSON.stringify(draft));
  } catch {
    // As above.
  }
}

export function discardDraft(id: string): void {
  try {
    localStorage.removeItem(PREFIX + id);
  } catch {
    // As above.
  }
}
