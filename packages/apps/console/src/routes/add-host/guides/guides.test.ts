import { expect, it } from 'vitest';
import { GUIDES } from './guides.ts';
import { filledIn, hasKey, readGuide } from './read-guide.ts';

const MARKDOWN = `# An agent

It [sends](elsewhere.md) by \`write\`
to one address:

\`\`\`yaml
url: https://monitor.example/api
key: tw_…
\`\`\`

- One note
  of two lines.
- Another.

## What appears
Nothing of this is shown.

\`\`\`sh
later
\`\`\`
`;

it('reads texts, code and lists of a guide until its first section', () => {
  expect(readGuide(MARKDOWN)).toEqual({
    title: 'An agent',
    blocks: [
      { kind: 'text', text: 'It sends by `write` to one address:' },
      { kind: 'code', code: 'url: https://monitor.example/api\nkey: tw_…' },
      { kind: 'list', items: ['One note of two lines.', 'Another.'] },
    ],
  });
});

it('fills in the address and the key wherever a block has them', () => {
  const filled = filledIn('a https://monitor.example/x b tw_… tw_…', 'http://10.0.0.5:8230', 'tw_1');
  expect(filled).toBe('a http://10.0.0.5:8230/x b tw_1 tw_1');
});

it.each([
  ['http://10.0.0.5:8230', 'http://10.0.0.5:4317'],
  ['https://tidewatch.example', 'https://tidewatch.example:4317'],
  ['http://[::1]:8230', 'http://[::1]:4317'],
])('keeps the port that a guide names when the address is %s', (url, address) => {
  expect(filledIn('a=https://monitor.example:4317', url, 'tw_1')).toBe(`a=${address}`);
});

it('offers the guides of docs/agents that say where samples are sent, in the order of its overview', () => {
  expect([...GUIDES.keys()].slice(0, 4)).toEqual([
    'prometheus',
    'vmagent',
    'opentelemetry-collector',
    'opentelemetry-sdks',
  ]);
  expect([...GUIDES.values()].map(({ title }) => title)).not.toContain('');
});

it.each([...GUIDES])('every address of the guide %s is one once it is filled in', (_name, { blocks }) => {
  const code = blocks.flatMap((block) => (block.kind === 'code' ? [block.code] : [])).join('\n');
  const addresses = filledIn(code, 'http://10.0.0.5:8230', 'tw_1').match(/https?:[^\s"'>]+/g) ?? [];
  expect(addresses.filter((address) => address.includes('10.0.0.5'))).not.toEqual([]);
  expect(addresses.filter((address) => !URL.canParse(address))).toEqual([]);
});

it.each([...GUIDES.keys()])('the guide %s shows where the key goes before its first section', (name) => {
  const guide = GUIDES.get(name);
  expect(guide !== undefined && hasKey(guide)).toBe(true);
});
