import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { BodyTooLargeError } from './body-too-large-error.ts';
import { MalformedBodyError } from './malformed-body-error.ts';
import { MAX_VALUES, parseJsonBody } from './parse-json-body.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MIB = 1024 * 1024;
/** Each entry takes two values: a comma and an object. */
const ENTRIES = MAX_VALUES / 2;

const listOf = (entry: (index: number) => string, count: number) =>
  Buffer.from(`[${Array.from({ length: count }, (_, index) => entry(index)).join(',')}]`);

it.each<[string, (index: number) => string]>([
  ['empty objects', () => '{}'],
  ['objects with names of their own', (index) => `{"name ${index}":1}`],
  ['objects with an index', () => '{"30":1}'],
  ['lists', () => '[1]'],
])('keeps less than 48 MiB for a body of as many %s as it may have', (_, entry) => {
  const body = listOf(entry, ENTRIES);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const parsed = parseJsonBody(body) as unknown[];
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(48 * MIB);
  expect(parsed).toHaveLength(ENTRIES);
});

it('refuses 16 MiB of objects as too large before it parses them', () => {
  const body = Buffer.alloc(16 * MIB, '{},');
  body.write('[');
  const before = process.memoryUsage().heapUsed;
  expect(() => parseJsonBody(body)).toThrow(BodyTooLargeError);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * MIB);
});

it('counts no commas and brackets within texts', () => {
  expect(parseJsonBody(Buffer.from(JSON.stringify([',[{'.repeat(MAX_VALUES)])))).toHaveLength(1);
});

it('refuses lists deeper than is allowed as malformed', () => {
  expect(parseJsonBody(Buffer.from('[[]]'), 2)).toEqual([[]]);
  expect(() => parseJsonBody(Buffer.from('[[[]]]'), 2)).toThrow(MalformedBodyError);
});
