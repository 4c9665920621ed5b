import { storeForFile } from '@tidewatch/harness/store';
import { beforeAll, describe, expect, it } from 'vitest';
import { cutRows, pageAndTotal } from './page-rows.ts';

const store = await storeForFile({ max: 1, searchPath: 'public' });
beforeAll(async () => {
  await store.sql`create table numbers as select i from generate_series(1, 20000) i`;
  await store.sql`create unique index on numbers (i)`;
  await store.sql`analyze numbers`;
});

it('a page has the requested rows, and its statement uses a cached plan', async () => {
  const { sql } = store;
  const read = (skip: number, take: number) =>
    sql<
      { i: number }[]
    >`${cutRows(sql, { rows: sql`select n.i from numbers n where n.i > ${10}`, order: sql`i` }, skip, take)}`;
  for (const [skip, take, first] of [
    [0, 0, undefined],
    [0, 1, 11],
    [0, 3, 11],
    [5, 4, 16],
    [0, 101, 11],
  ] as const) {
    const rows = await read(skip, take);
    expect([rows.length, rows[0]?.i]).toEqual([take, first]);
  }
  for (let round = 0; round < 8; round++) await read(0, 2);
  const plans = await sql<{ kept: number }[]>`
    select generic_plans::int as kept from pg_prepared_statements where statement like 'select * from (%limit 2)%'`;
  // PostgreSQL plans the first five executions with their values before it considers a generic plan.
  expect([...plans]).toEqual([{ kept: 3 }]);
});

describe.each([
  ['an index', true, false],
  ['an index that finds the rows after the first', true, true],
  ['no index', false, false],
])('of a list that has %s', (_, isIndexed, findsOthers) => {
  // A query materializes the first 1,024 to 4,096 rows of a list, so shorter lists, longer ones and those of these lengths differ.
  it.each([0, 1, 5, 1_023, 1_024, 1_025, 2_048, 2_049, 4_500])(
    'the page and the total of %d rows are right',
    async (length) => {
      const { sql } = store;
      const windows = [
        ...[0, 3, 1_000, 1_020, 1_023, 1_024, 1_500, 2_045, 4_090, 4_094].map((skip) => ({
          skip,
          after: null,
        })),
        ...[0, 4, 1_022, 1_024, 2_998, 4_498].map((after) => ({ skip: 0, after })),
      ];
      for (const { skip, after } of windows) {
        const list = {
          rows: sql`select n.i from numbers n where n.i <= ${length}`,
          order: sql`i`,
          total: null,
          after: after === null ? null : sql`and i > ${after}`,
          isIndexed,
          ...(findsOthers && { beyond: sql`and i > (select max(i) from list)` }),
        };
        const [read] = await sql<{ total: number; page: number[] }[]>`
        with ${pageAndTotal(sql, list, { skip, take: 3 }, null)}
        select (select total from counted) as total, coalesce((select json_agg(i order by i) from page), '[]') as page`;
        const first = (after ?? 0) + skip + 1;
        const page = [first, first + 1, first + 2].filter((i) => i <= length);
        expect({ skip, after, ...read }).toEqual({ skip, after, total: length, page });
      }
    },
  );
});
