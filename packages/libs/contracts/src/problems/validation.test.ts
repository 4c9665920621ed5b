import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idSchema } from '../values/id.ts';
import { mapSchema } from '../values/map.ts';
import { PLACEHOLDER_MESSAGE } from './placeholder.ts';
import { check, MAX_FAULTS, toFaults } from './validation.ts';

const schema = z.strictObject({
  name: z.string().min(1).max(3),
  kind: z.enum(['a', 'b']),
  size: z.int().min(0).max(5).optional(),
  list: z.array(z.number()).max(2).optional(),
});

function faults(input: unknown): Record<string, string> {
  const result = check(schema, input, 'body');
  return 'errors' in result ? Object.fromEntries(result.errors.map(({ path, code }) => [path, code])) : {};
}

describe('check', () => {
  it('returns the parsed value', () => {
    expect(check(schema, { name: 'n', kind: 'a' }, 'body')).toEqual({ value: { name: 'n', kind: 'a' } });
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['missing members, by the path they would have', {}, { '/name': 'required', '/kind': 'required' }],
    [
      'null, which is not missing',
      { name: null, kind: null },
      { '/name': 'invalid_type', '/kind': 'invalid_value' },
    ],
    [
      'every unknown field',
      { name: 'n', kind: 'a', x: 1, 'y/z': 2 },
      { '/x': 'unknown_field', '/y~1z': 'unknown_field' },
    ],
    [
      'bounds',
      { name: '', kind: 'a', size: 6, list: [1, 2, 3] },
      { '/name': 'too_short', '/size': 'too_large', '/list': 'too_many' },
    ],
    ['fractions', { name: 'n', kind: 'a', size: 1.5 }, { '/size': 'not_an_integer' }],
    [
      'numbers beyond a double',
      { name: 'n', kind: 'a', list: [Number.POSITIVE_INFINITY] },
      { '/list/0': 'not_finite' },
    ],
    ['the body itself', [], { '': 'invalid_type' }],
  ])('names %s', (_name, input, expected) => {
    expect(faults(input)).toEqual(expected);
  });

  it.each(['body', 'query'] as const)('reports a value in the %s as a placeholder of an example', (where) => {
    const ids = z.object({ rule_id: idSchema('rul'), severity: z.enum(['a', 'b']) });
    const given = { rule_id: 'rul_…', severity: '<severity>' };
    const result = check(ids, given, where);
    expect(result).toMatchObject({
      errors: Object.keys(given).map((name) => ({ path: `/${name}`, message: PLACEHOLDER_MESSAGE })),
    });
  });

  it('reports the ordinary fault of a text that also contains …', () => {
    expect(check(schema, { name: 'wait…', kind: 'a' }, 'body')).toMatchObject({
      errors: [{ path: '/name', message: 'Must have at most 3 characters.' }],
    });
  });

  it('names a repeated parameter of the query', () => {
    const result = check(schema, { name: ['a', 'b'], kind: 'a' }, 'query');
    expect(result).toMatchObject({ errors: [{ in: 'query', path: '/name', code: 'repeated' }] });
  });
});

describe('toFaults', () => {
  it('names the missing member without quoting the input', () => {
    const { error } = schema.safeParse({ kind: 'a' });
    expect(toFaults(error as z.ZodError, 'body')).toMatchObject([{ path: '/name', code: 'required' }]);
  });

  it('lists a path with several faults once', () => {
    const twice = z
      .string()
      .refine(() => false, 'one')
      .refine(() => false, 'two');
    const { error } = twice.safeParse('x');
    expect(toFaults(error as z.ZodError, 'body')).toHaveLength(1);
  });

  it('returns at most a hundred faults', () => {
    const { error } = z.array(z.number()).safeParse(Array.from({ length: 500 }, () => 'x'));
    expect(toFaults(error as z.ZodError, 'body')).toHaveLength(MAX_FAULTS);
  });
});

describe('mapSchema', () => {
  const map = z.object({
    map: mapSchema(z.array(z.number()), { entries: 2, keyMin: 1, keyMax: 9 }, { description: 'A map.' }),
  });

  it('returns the value unchanged, including __proto__', () => {
    const value = JSON.parse('{"map":{"__proto__":[1],"a":[]}}') as unknown;
    expect(JSON.stringify(map.parse(value))).toBe(JSON.stringify(value));
  });

  it('names faults inside values by their own paths', () => {
    const result = check(map, { map: { 'a~b': [1, 'x'], abcdefghij: [] } }, 'body');
    expect(result).toMatchObject({
      errors: [{ path: '/map/a~0b/1' }, { path: '/map/abcdefghij', code: 'too_long' }],
    });
  });
});
