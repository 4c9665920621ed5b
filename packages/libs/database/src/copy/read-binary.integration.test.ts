import { storeForFile } from '@tidewatch/harness/store';
import { expect, test } from 'vitest';
import { readBinary } from './read-binary.ts';

const { sql } = await storeForFile({ max: 1 });
const TEXTS = [`a'b`, 'c"d\\e', '{,}', '$1', 'ä', ''];

test('reads texts, nulls, numbers and large bytes as they are', async () => {
  const rows = await readBinary(
    sql,
    `select t.place::integer, t.text, case when t.place > 1 then decode(repeat('00ff', 100000), 'hex') end, 0.5::float8
    from unnest($1::text[]) with ordinality as t (text, place) where t.text <> $2`,
    [TEXTS, `a'b`],
  );
  expect(rows.map(([place, text]) => [place?.readInt32BE(), text?.toString()])).toEqual(
    TEXTS.map((text, index) => [index + 1, text]).slice(1),
  );
  const bytes = Buffer.from('00ff'.repeat(100_000), 'hex');
  expect(rows.every(([, , found, half]) => found?.equals(bytes) && half?.readDoubleBE() === 0.5)).toBe(true);
  const [row] = await readBinary(sql, 'select null::bytea, $1::text', [['x'].join()]);
  expect(row?.[0]).toBeNull();
  expect(await readBinary(sql, 'select 1 where false', [])).toEqual([]);
});

test('an error of the query is thrown, and the connection goes on', async () => {
  await expect(readBinary(sql, 'select 1 / (g - 5000) from generate_series(1, 9000) g', [])).rejects.toThrow(
    'division by zero',
  );
  await expect(readBinary(sql, 'select $1::text', [])).rejects.toThrow('without a value');
  expect(await readBinary(sql, 'select 7::integer', [])).toEqual([[Buffer.from([0, 0, 0, 7])]]);
});

test('sees the rows of its transaction alone', async () => {
  await sql.begin('isolation level repeatable read', async (tx) => {
    await tx`create temporary table seen as select 3 as value`;
    const rows = await readBinary(tx, 'select value from seen where value = $1::text::integer', ['3']);
    expect(rows).toHaveLength(1);
  });
});
