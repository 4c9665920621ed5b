import { expect, it } from 'vitest';
import { changesOf, truncationOf } from './audit-diff.ts';

it('shows fields that differ, with names of nested fields, and none that are equal', () => {
  expect(
    changesOf(
      { name: 'CPU', threshold: 90, no_data: { policy: 'keep', minutes: 5 }, channels: ['slack'] },
      { name: 'CPU', threshold: 95, no_data: { policy: 'fire', minutes: 5 }, channels: [] },
    ),
  ).toEqual([
    { field: 'threshold', before: '90', after: '95' },
    { field: 'no_data.policy', before: 'keep', after: 'fire' },
    { field: 'channels', before: 'slack', after: '[]' },
  ]);
});

it('shows every field of a new and of a deleted object on one side', () => {
  const state = { name: 'web', hosts: null, comment: '' };
  expect(changesOf(null, state)).toEqual([
    { field: 'name', before: undefined, after: 'web' },
    { field: 'hosts', before: undefined, after: 'null' },
    { field: 'comment', before: undefined, after: '""' },
  ]);
  expect(changesOf(state, null).map(({ before, after }) => [before, after])).toEqual([
    ['web', undefined],
    ['null', undefined],
    ['""', undefined],
  ]);
});

it('joins lists of plain values, and shows lists of objects and deep objects as JSON', () => {
  expect(changesOf({ to: ['a', 'b'] }, { to: [{ host: 'a' }] })).toEqual([
    { field: 'to', before: 'a, b', after: '[{"host":"a"}]' },
  ]);
  expect(changesOf({ deep: { a: { b: { c: { d: 1 } } } } }, null)).toEqual([
    { field: 'deep.a.b.c', before: '{"d":1}', after: undefined },
  ]);
});

it('says what the log left out of a large state, and does not show that as a field', () => {
  const state = { name: 'x', _truncated: { bytes: 20_480, fields: ['scope'] } };
  expect(truncationOf(state)).toEqual({ bytes: 20_480, fields: ['scope'] });
  expect(changesOf(null, state).map(({ field }) => field)).toEqual(['name']);
  expect([truncationOf(null), truncationOf({ _truncated: 'x' })]).toEqual([null, null]);
});
