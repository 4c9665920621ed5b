import { expect, it } from 'vitest';
import { anchorsOf, namedBy } from './document-paths.ts';

it('finds paths in code, relative links with their anchors, and scripts', () => {
  const text =
    'See `packages/libs/bus`, [ours](../a.md#part), [theirs](https://example.org/x), [below](#here), `npm run verify`.';
  expect(namedBy(text)).toEqual({
    paths: ['packages/libs/bus'],
    links: ['../a.md#part', '#here'],
    scripts: ['verify'],
  });
});

it('spells out paths below packages and choices in braces', () => {
  expect(namedBy('In `libs/bus/src/{bus,fan-out}.ts`.').paths).toEqual([
    'packages/libs/bus/src/bus.ts',
    'packages/libs/bus/src/fan-out.ts',
  ]);
});

it('ignores links in code, which are examples', () => {
  expect(namedBy('Write `[a](a.md)`:\n\n```\n[b](b.md)\n```\n').links).toEqual([]);
});

it('makes the anchors of headings as GitHub does', () => {
  const text = `# The \`[a](b)\` of Tidewatch's own: 1.0
## [Linked](there.md), twice
## Linked, twice
\`\`\`
# no heading
\`\`\`
### Read_me & more
`;
  expect([...anchorsOf(text)]).toEqual([
    'the-a-of-tidewatchs-own-10',
    'linked-twice',
    'linked-twice-1',
    'read_me--more',
  ]);
});
