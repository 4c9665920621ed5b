/**
 * Every shortcut of the console in words: the only keys that pages may use. Two keys with a space between are pressed one
 * after the other. Those of `everywhere` work on each page.
 */
export const SHORTCUT_WORDS = {
  everywhere: {
    '?': 'Show the shortcuts of the page',
    '/': 'Go to the filter of the page',
    'g o': 'Go to Overview',
    'g a': 'Go to Alerts',
    'g h': 'Go to Hosts',
    'g r': 'Go to Rules',
    'g i': 'Go to Investigations',
    'g q': 'Go to Query',
    u: 'Show times in local time or UTC',
  },
  page: {
    j: 'Next row (also ↓)',
    k: 'Row before (also ↑)',
    Enter: 'Open',
    x: 'Select',
    c: 'Compare selected hosts',
    a: 'Acknowledge',
    s: 'Silence',
    r: 'Resolve',
    e: 'Edit the rule',
    v: 'Map or table',
    f: 'Next fill of the map',
    t: 'Go to the time range',
    '[': 'Earlier by half the range',
    ']': 'Later by half the range',
    '+': 'Zoom in (also =)',
    '=': 'Zoom in',
    '-': 'Zoom out',
    '0': 'The usual range',
    d: 'Table of the chart that has the focus',
    l: 'Copy the link',
    Escape: 'Clear the selection',
  },
} as const;

/** Keys that stand for another one, which is listed in their place. */
const ALIASES: ReadonlySet<string> = new Set(['=']);

export type ShortcutKey = keyof (typeof SHORTCUT_WORDS)['everywhere'] | keyof (typeof SHORTCUT_WORDS)['page'];

export interface ShownShortcut {
  keys: readonly string[];
  words: string;
}

/** The words of the shortcuts that work now, in the order of the table. */
export function shownShortcuts(
  group: keyof typeof SHORTCUT_WORDS,
  working: ReadonlySet<string>,
): ShownShortcut[] {
  return Object.entries(SHORTCUT_WORDS[group])
    .filter(([key]) => working.has(key) && !ALIASES.has(key))
    .map(([key, words]) => ({ keys: key.split(' '), words }));
}
