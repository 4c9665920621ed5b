import { AGGREGATES as OF_DOMAIN } from '@tidewatch/domain/fleet/step-aggregate';
import { expect, it } from 'vitest';
import { AGGREGATES, aggregateOf, entriesOf, queryInput, tagsOf, tagsText } from './query-input.ts';

it('asks nothing without a metric', () => {
  expect(queryInput({ aggregate: 'max' })).toBeUndefined();
});

it('asks for what the URL says', () => {
  const search = {
    metric: 'cpu_percent',
    hosts: ['web-*', 'db-1'],
    tag: ['region:eu-1', 'region:us-1', 'role:db'],
    aggregate: 'max',
    group_by: 'role',
    top: 5,
  };
  expect(queryInput(search)).toEqual({
    metric: 'cpu_percent',
    selector: { hosts: ['web-*', 'db-1'], tags: { region: ['eu-1', 'us-1'], role: ['db'] } },
    aggregate: 'max',
    by: null,
    group_by: 'role',
    top: 5,
  });
  expect(queryInput({ metric: 'a' })).toEqual({
    metric: 'a',
    selector: {},
    aggregate: 'avg',
    by: null,
    group_by: null,
    top: null,
  });
});

it('asks for parts by pattern, and groups by a tag or otherwise, but not by both', () => {
  const search = { metric: 'filesystem.used_percent', part: ['/var*'], by: 'part' } as const;
  expect(queryInput(search)).toMatchObject({ selector: { part: ['/var*'] }, by: 'part', group_by: null });
  expect(queryInput({ ...search, group_by: 'role' })).toMatchObject({ by: null, group_by: 'role' });
});

it('offers the aggregates of the API, and takes others for the mean', () => {
  expect(AGGREGATES).toEqual(OF_DOMAIN);
  expect([aggregateOf('p95'), aggregateOf('median'), aggregateOf(undefined)]).toEqual(['p95', 'avg', 'avg']);
});

it.each([
  ['', undefined],
  [' , ', undefined],
  ['web-*, db-1 ,web-*', ['web-*', 'db-1']],
])('reads the field "%s"', (text, entries) => {
  expect(entriesOf(text)).toEqual(entries);
});

it.each([
  ['region=eu-1, role=db', ['region:eu-1', 'role:db']],
  ['a:b=c=d', ['a\\:b:c=d']],
])('writes the tags "%s" into the URL, and reads them back', (text, tags) => {
  expect(tagsOf(text)).toEqual(tags);
  expect(tagsText(tags)).toBe(text);
});
