/** What a key does after those before it: the shortcut that it completes, if any, and what is pending after it. */
export interface KeyStep {
  /** The completed shortcut, such as `g a`; null if there is none. */
  completed: string | null;
  /** The keys so far of a longer shortcut; empty if none can follow. */
  pending: string;
}

/** The step that `key` makes after the keys `pending`, among the shortcuts that work. */
export function keyStep(pending: string, key: string, working: ReadonlySet<string>): KeyStep {
  const keys = pending === '' ? key : `${pending} ${key}`;
  if (working.has(keys)) return { completed: keys, pending: '' };
  const isBegun = [...working].some((each) => each.startsWith(`${keys} `));
  return { completed: null, pending: isBegun ? keys : '' };
}
