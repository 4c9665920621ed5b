import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SHORTCUT_WORDS, shownShortcuts } from '../src/keyboard/shortcut-words.ts';

it('has each shortcut in the table of the README, and no other', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const [, table = ''] = readme.split('## Keyboard shortcuts');
  const rows = [...table.matchAll(/^\| (`.*`) \| (.*) \| .* \|$/gm)].map(
    ([, keys, words]) => `${keys} ${words}`,
  );
  const every = new Set(Object.values(SHORTCUT_WORDS).flatMap((words) => Object.keys(words)));
  const listed = (['everywhere', 'page'] as const).flatMap((group) => shownShortcuts(group, every));
  expect(rows).toEqual(
    listed.map(({ keys, words }) => `${keys.map((key) => `\`${key}\``).join(' ')} ${words}`),
  );
});
