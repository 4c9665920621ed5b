import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPageTime, type Parameter, type Parameters, readSearch } from './parameters.ts';
import { PAGES, type PageName, type PageSearch, pageAt, pathOf, readPageSearch } from './paths.ts';

const NAMES = Object.keys(PAGES) as PageName[];
const TIMES = ['-1h', '-90m', '-7d', '2026-11-26T03:12:40Z', '2026-11-26T03:12:40.123+01:00'];

function valuesOf(parameter: Parameter): fc.Arbitrary<unknown> {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 });
  switch (parameter.kind) {
    case 'text':
      return text;
    case 'texts':
      return fc.array(text, { minLength: 1, maxLength: 5 });
    case 'choice':
      return fc.constantFrom(...parameter.of);
    case 'whole':
      return fc.integer({ min: parameter.min, max: parameter.max });
    case 'flag':
      return fc.constant(true);
    case 'time':
      return fc.constantFrom(...TIMES);
  }
}

function searchesOf(name: PageName): fc.Arbitrary<PageSearch<PageName>> {
  const entries = Object.entries(PAGES[name].parameters as Parameters);
  const model = Object.fromEntries(entries.map(([key, parameter]) => [key, valuesOf(parameter)]));
  return fc.record(model, { requiredKeys: [] }) as fc.Arbitrary<PageSearch<PageName>>;
}

describe.each(NAMES)('the page %s', (name) => {
  it('has the same id and parameters after its URL was written and read', () => {
    fc.assert(
      fc.property(searchesOf(name), (search) => {
        const url = new URL(pathOf(name, { id: 'alr_0a1' }, search), 'http://tidewatch.example');
        expect(pageAt(url.pathname)?.name).toBe(name);
        expect(readPageSearch(name, readSearch(url.search))).toEqual({ values: search, invalid: [] });
      }),
    );
  });
});

it('finds a literal path before one with an id', () => {
  expect(pageAt('/services/add')).toEqual({ name: 'addHost', id: undefined });
  expect(pageAt('/rules/new')?.name).toBe('newRule');
  expect(pageAt('/alerts/alr_1')).toEqual({ name: 'alert', id: 'alr_1' });
});

it.each(['/alerts/', '/alerts/alr_1/x', '/Alerts', '/alerts/a b', '/settings', '//', '/api/v1/alerts'])(
  'has no page at %s',
  (path) => {
    expect(pageAt(path)).toBeUndefined();
  },
);

it.each([
  ['alerts', '?status=open', ['status']],
  ['alerts', '?status=active&status=all', ['status']],
  ['alerts', '?from=yesterday&to=-1h', ['from']],
  ['query', '?top=0', ['top']],
  ['query', '?top=1e2', ['top']],
  ['overview', '?display=yes', ['display']],
  ['alerts', `?host=${'a'.repeat(501)}`, ['host']],
  ['compare', `?${'id=svc_1&'.repeat(13)}`, ['id']],
  ['alerts', '?utm_source=mail&__proto__=1', []],
] as const)('names what is invalid in %s%s', (name, search, invalid) => {
  expect(readPageSearch(name, readSearch(search)).invalid).toEqual(invalid);
});

it.each([
  ['-1h', true],
  ['-30s', true],
  ['1h', false],
  ['now', false],
  ['2026-11-26T03:12:40Z', true],
  ['2026-13-26T03:12:40Z', false],
  ['2026-11-26', false],
])('takes %s as a time: %s', (text, isTime) => {
  expect(isPageTime(text)).toBe(isTime);
});
