import { transact } from '@tidewatch/database/connection';
import { storeForFile } from '@tidewatch/harness/store';
import { expect, it } from 'vitest';
import { holdClosedDays } from '../sample-days/closed-days.ts';
import { transactAlone } from './transact-alone.ts';

const { sql } = await storeForFile({ max: 3 });

it('a part of a conversion waits for a seal, and has what it committed in its one snapshot', async () => {
  let working: Promise<string[]> | undefined;
  let isWorking = false;
  await transact(sql, async (seal) => {
    await holdClosedDays(seal);
    working = transactAlone(sql, async (tx) => {
      isWorking = true;
      const read = async () =>
        (await tx<{ name: string }[]>`select name from organizations order by 1`).map(({ name }) => name);
      const before = await read();
      await sql`insert into organizations (id, name) values ('org_c', 'after')`;
      expect(await read()).toEqual(before);
      return before;
    });
    await expect
      .poll(() => sql`select from pg_locks where locktype = 'advisory' and not granted`)
      .toHaveLength(1);
    await seal`insert into organizations (id, name) values ('org_b', 'while it waited')`;
    expect(isWorking).toBe(false);
  });
  expect(await working).toEqual(['while it waited']);
});
