import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CursorValue, decodeCursor, encodeCursor } from './cursor.ts';

const CONTEXT = { list: 'services', filters: { q: 'web', status: 'healthy' } };
const CURSOR = encodeCursor({ ...CONTEXT, key: ['web-01', 'svc_1'] });
const forge = (parts: unknown) =>
  Buffer.from(typeof parts === 'string' ? parts : JSON.stringify(parts)).toString('base64url');
const bound = (key: unknown) =>
  forge([CONTEXT.list, JSON.parse(Buffer.from(CURSOR, 'base64url').toString())[1], key]);

describe('a cursor', () => {
  test('is decoded to the key it was made of', () => {
    expect(decodeCursor(CURSOR, CONTEXT, ['string', 'string'])).toEqual({ key: ['web-01', 'svc_1'] });
  });

  test.each<[string, Record<string, unknown>]>([
    ['in another order', { status: 'healthy', q: 'web' }],
    ['with an undefined one', { q: 'web', status: 'healthy', tag: undefined }],
  ])('takes the same filters %s', (_, filters) => {
    expect(decodeCursor(CURSOR, { list: 'services', filters })).toHaveProperty('key');
  });

  test.each<[string, string, Record<string, unknown>, string]>([
    ['another list', 'alerts', CONTEXT.filters, 'other_list'],
    ['another value', 'services', { q: 'web-0', status: 'healthy' }, 'other_filters'],
    ['a filter less', 'services', { q: 'web' }, 'other_filters'],
    ['a filter more', 'services', { ...CONTEXT.filters, tag: 'a:b' }, 'other_filters'],
    ['no filters', 'services', {}, 'other_filters'],
  ])('refuses %s', (_, list, filters, fault) => {
    expect(decodeCursor(CURSOR, { list, filters })).toEqual({ fault });
  });

  test.each<[string, string]>([
    ['nothing', ''],
    ['other letters', '!!!!'],
    ['padding', `${CURSOR}==`],
    ['a cut one', CURSOR.slice(0, -3)],
    ['no JSON', forge('{')],
    ['an object', forge({})],
    ['too few parts', forge(['services'])],
    ['a key that is no list', bound('x')],
    ['a key of objects', bound([{}])],
    ['a key of booleans', bound([true, 'svc_1'])],
    ['a key that is too short', bound(['web-01'])],
    ['a key of other types', bound(['web-01', 1])],
    ['NUL in a text', bound(['web\0', 'svc_1'])],
    ['a lone surrogate', bound(['\ud800', 'svc_1'])],
    [
      'an infinite number',
      forge(Buffer.from(bound([]), 'base64url').toString().replace('[]', '[1e400,"svc_1"]')),
    ],
    ['an endless one', 'A'.repeat(100_000)],
  ])('refuses %s', (_, text) => {
    expect(decodeCursor(text, CONTEXT, ['string', 'string'])).toEqual({ fault: 'malformed' });
  });

  test('is safe in an address', () => {
    expect(encodeCursor({ ...CONTEXT, key: ['größe?&/+', 'svc_1'] })).toMatch(/^[A-Za-z0-9_-]+$/);
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 20 }).map((word) => word.replaceAll('\0', ''));
const key = fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 });

test('any key is decoded, and only for its own list and filters', () => {
  const filters = fc.dictionary(text, fc.oneof(text, fc.boolean()), { maxKeys: 4 });
  fc.assert(
    fc.property(text, filters, key, text, filters, (list, mine, values: CursorValue[], otherList, others) => {
      const cursor = encodeCursor({ list, filters: mine, key: values });
      expect(decodeCursor(cursor, { list, filters: mine })).toEqual({ key: values });
      const sameFilters =
        JSON.stringify(Object.entries(mine).sort()) === JSON.stringify(Object.entries(others).sort());
      const expected =
        list !== otherList
          ? { fault: 'other_list' }
          : sameFilters
            ? { key: values }
            : { fault: 'other_filters' };
      expect(decodeCursor(cursor, { list: otherList, filters: others })).toEqual(expected);
    }),
  );
});

test('decoding any text returns a key or a reason', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json().map(forge), key.map(bound)), (any) => {
      const outcome = decodeCursor(any, CONTEXT);
      expect('key' in outcome || 'fault' in outcome).toBe(true);
    }),
  );
});

test('paging by keys returns every row once, in the order of the sorted list', () => {
  interface Row {
    name: string;
    id: number;
  }
  const rows = fc.uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c'), id: fc.nat(50) }), {
    selector: (row) => row.id,
  });
  const compare = (a: Row, b: Row) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id);
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (all, limit) => {
      const context = { list: 'rows', filters: {} };
      const seen: Row[] = [];
      let cursor: string | null = null;
      do {
        const decoded: ReturnType<typeof decodeCursor> | null =
          cursor === null ? null : decodeCursor(cursor, context, ['string', 'number']);
        const after =
          decoded !== null && 'key' in decoded
            ? { name: decoded.key[0] as string, id: decoded.key[1] as number }
            : null;
        const left: Row[] = all.filter((row) => after === null || compare(row, after) > 0).sort(compare);
        const page = left.slice(0, limit);
        seen.push(...page);
        const last = page.at(-1);
        cursor =
          left.length > limit && last !== undefined
            ? encodeCursor({ ...context, key: [last.name, last.id] })
            : null;
      } while (cursor !== null);
      expect(seen).toEqual(all.toSorted(compare));
    }),
  );
});
