import { startDatabase } from '@tidewatch/testkit/postgres';
import { expect, it } from 'vitest';
import { openStore } from '../connection.ts';
import { cutRows } from './page-rows.ts';

it('a page is cut as asked for, by a plan that PostgreSQL keeps', async () => {
  const database = await startDatabase();
  const { sql, close } = openStore({ url: database.adminUrl, max: 1, searchPath: 'public' });
  await sql`create table numbers as select i from generate_series(1, 20000) i`;
  await sql`create unique index on numbers (i)`;
  await sql`analyze numbers`;
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
  // The first five are made with the values, before PostgreSQL compares.
  expect([...plans]).toEqual([{ kept: 3 }]);
  await close();
  await database.close();
});
