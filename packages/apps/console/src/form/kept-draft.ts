import { useState } from 'react';
import { type Draft, withValue } from './form-state.ts';

const PREFIX = 'tidewatch.draft.';

export interface KeptDraft {
  draft: Draft;
  /** Sets the value at a JSON Pointer; undefined removes it. */
  change: (path: string, value: unknown) => void;
  /** Forgets what was typed: it was saved, or is not wanted. */
  discard: () => void;
}

/** What is typed into a form. It outlives a closed dialog, another page and a reload in this tab. Secrets do not belong here. */
export function useKeptDraft(name: string, initial: Draft): KeptDraft {
  const [draft, setDraft] = useState(() => ({ ...initial, ...kept(name) }));
  return {
    draft,
    change: (path, value) =>
      setDraft((former) => {
        const next = withValue(former, path, value);
        keep(name, next);
        return next;
      }),
    discard: () => {
      keep(name, null);
      setDraft(initial);
    },
  };
}

function kept(name: string): Draft {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Draft) : {};
  } catch {
    // A browser may refuse storage; the draft then lives as long as the page.
    return {};
  }
}

function keep(name: string, draft: Draft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    // As above.
  }
}
