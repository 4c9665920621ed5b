import { expect, it } from 'vitest';
import { consoleFaults } from './console-sources.ts';

it.each([
  ['a.module.css', '  color: #fff;', 'tokens.css'],
  ['a.module.css', '  background: rgb(0 0 0 / 50%);', 'tokens.css'],
  ['a.module.css', '  border: 1px solid oklch(0.5 0.1 200);', 'tokens.css'],
  ['a.module.css', '  color: red;', 'tokens.css'],
  ['a.tsx', '<path fill="#B01217" />', 'tokens.css'],
  ['a.tsx', '<path stroke="white" />', 'tokens.css'],
  ['a.tsx', '<p dangerouslySetInnerHTML={{ __html: text }} />', 'sets HTML'],
  ['a.ts', 'element.innerHTML = text;', 'sets HTML'],
  ['a.ts', 'element.insertAdjacentHTML("beforeend", text);', 'sets HTML'],
  ['a.ts', 'date.toLocaleString()', 'are formatted'],
  ['a.ts', 'new Intl.NumberFormat()', 'are formatted'],
])('%s: refuses %s', (file, line, message) => {
  expect(consoleFaults(`packages/apps/console/src/${file}`, `\n${line}\n`)).toEqual([
    expect.stringMatching(new RegExp(`^packages/apps/console/src/${file}:2: .*${message}`)),
  ]);
});

it.each([
  ['style/tokens.css', '  --critical-fill: light-dark(#b01217, #e5344a);'],
  ['a.module.css', '  color: var(--text);'],
  ['a.module.css', '  background: color-mix(in oklab, var(--surface), var(--accent) 14%);'],
  ['a.module.css', '  white-space: nowrap;'],
  ['components/time/a.ts', 'new Intl.DateTimeFormat()'],
  ['components/number/a.ts', 'value.toLocaleString()'],
  ['a.ts', 'Intl.DateTimeFormat().resolvedOptions().timeZone'],
  ['a.tsx', '<a href="#main">Skip</a>'],
  ['a.ts', '// A colour such as #fff, or innerHTML'],
])('%s: lets %s pass', (file, line) => {
  expect(consoleFaults(`packages/apps/console/src/${file}`, line)).toEqual([]);
});
