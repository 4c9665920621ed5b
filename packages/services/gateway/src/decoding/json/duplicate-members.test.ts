import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBody } from './decode-body.ts';
import { countMembers } from './duplicate-members.ts';
import { structureOf } from './nesting.ts';

const NOW = Date.UTC(2026, 10, 26);
const decoded = (text: string, form: 'json' | 'ndjson' = 'json') => decodeBody(Buffer.from(text), form, NOW);

it.each([
  ['{"host":"a","host":"b","metrics":{}}', '/host'],
  ['{"host":"a","metrics":{"cpu":95},"metrics":{"mem":5}}', '/metrics'],
  ['{"host":"a","metrics":{"cpu":95,"cpu":5}}', '/metrics/cpu'],
  ['{"host":"a","metrics":{"cpu":95,"\\u0063pu":5}}', '/metrics/cpu'],
  ['{"host":"a","metrics":{"a/b":1,"a/b":2}}', '/metrics/a~1b'],
  ['{"host":"a","metrics":{},"tags":{"t":"1"},"tags":{"u":"2"}}', '/tags'],
  ['{"host":"a","metrics":{},"tags":{"t":"1","t":"2"}}', '/tags/t'],
  ['{"host":"a","metrics":{},"docker_containers":[{"name":"c","x":1,"x":2}]}', '/docker_containers/0/x'],
  [
    '{"host":"a","metrics":{},"processes":[{"name":"p","pid":1},{"name":"p","pid":1,"pid":2}]}',
    '/processes/1/pid',
  ],
  ['{"host":"a","metrics":{},"process_counts":{"sh":1,"sh":2}}', '/process_counts/sh'],
  ['{"host":"a","metrics":{},"parts":[{"kind":"disk","name":"sda","used":1,"used":2}]}', '/parts/0/used'],
  [
    '[{"host":"z","metrics":{}},{"host":"a","metrics":{},"parts":[{"kind":"disk","name":"sda","labels":{"x":"1","x":"2"}}]}]',
    '/1/parts/0/labels/x',
  ],
  ['[{"host":"a","metrics":{}},{"host":"b","metrics":{"cpu":1,"cpu":2}}]', '/1/metrics/cpu'],
])('a duplicate member is refused by its path: %s', (text, path) => {
  const { payloads, faults, rejected } = decoded(text);
  expect(faults).toMatchObject([{ path, code: 'duplicate' }]);
  expect([rejected, payloads.length]).toEqual([1, path.startsWith('/1/') ? 1 : 0]);
});

it('a line with a duplicate member is refused, and the other lines are accepted', () => {
  const { payloads, faults } = decoded(
    '{"host":"a","metrics":{"x":1,"x":2}}\n\n{"host":"b","metrics":{}}',
    'ndjson',
  );
  expect(faults).toMatchObject([{ path: '/0/metrics/x', code: 'duplicate' }]);
  expect(payloads.map(({ host }) => host)).toEqual(['b']);
});

it.each([
  '{"host":"a","metrics":{},"note":1,"note":2}',
  '{"host":"a","metrics":{},"note":{"x":1,"x":2}}',
  '{"host":"a","metrics":{},"processes":[{"name":"p","pid":1,"user":"a","user":"b"}]}',
  '{"host":"a","metrics":{"x:y":1,"__proto__":2},"tags":{"a":"x","b":"x"},"processes":[]}',
])('members that are ignored, and texts that look like members, are no duplicates: %s', (text) => {
  expect(decoded(text)).toMatchObject({ faults: [], rejected: 0 });
});

it('a payload and its batch of the same host and time are kept, to be merged', () => {
  const time = '2026-11-25T10:00:00Z';
  const { payloads } = decoded(
    JSON.stringify([
      { host: 'a', timestamp: time, metrics: { x: 1 } },
      { host: 'a', timestamp: time, metrics: { y: 2 } },
    ]),
  );
  expect(payloads).toHaveLength(2);
});

it('a body of many duplicates names a hundred of them', () => {
  const text = JSON.stringify(Array.from({ length: 1_000 }, () => ({ host: 'a', metrics: { x: 1, y: 2 } })));
  const { payloads, faults, rejected } = decoded(text.replaceAll('"y"', '"x"'));
  expect([payloads.length, rejected, faults.length]).toEqual([0, 1_000, 100]);
});

it('a text without duplicates has as many members as its parsed value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(structureOf(Buffer.from(text), 'json').members >= countMembers(JSON.parse(text))).toBe(true);
      const unique = JSON.stringify(JSON.parse(text));
      expect(structureOf(Buffer.from(unique), 'json').members).toBe(countMembers(JSON.parse(unique)));
    }),
  );
});
