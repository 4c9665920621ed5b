import type { Queryable } from '@tidewatch/database/connection';
import { unpackNumbers } from '@tidewatch/database/packed-numbers';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import type { KnownBlocks, Levels, LevelsRequest } from '../series-columns.ts';
import { factsOf } from './known-rows.ts';
import { spansOf } from './spans.ts';
import { type Statement, stepRows } from './steps-statement.ts';

/** Mean, deviation, max and min of a slot. */
const LEVELS = 4;
const SLOTS = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => slot);
/** The max magnitude of values, so that their squares are finite. */
const MAX_VALUE = '1e140::float8';

/** Reads the levels of every slot of blocks, computed by the database: one row for each block in place of hours of minutes. */
export async function readLevels(
  tx: Queryable,
  blockIds: readonly number[],
  { tier, from, turn, to, retained }: LevelsRequest,
  known?: KnownBlocks,
): Promise<Map<number, Levels>> {
  const blocks = await factsOf(tx, blockIds, { from, to }, known);
  const parameters: Statement['parameters'] = [];
  const before = stepRows(spansOf(tier, { from, to: turn }, retained, blocks), SLOTS, parameters);
  const since = stepRows(spansOf(tier, { from: turn, to }, retained, blocks), SLOTS, parameters);
  if (before === null || since === null) return new Map();
  const each = (column: (slot: number) => string) => SLOTS.map(column).join(', ');
  // greatest() and least() pass over nulls, so that a step without the slot would become a number.
  const mean = (n: number) =>
    `case when x.c${n} > 0 then least(greatest(x.s${n} / x.c${n}, -${MAX_VALUE}), ${MAX_VALUE}) end as m${n}`;
  const rows = (await tx
    .unsafe(
      `with usual as (
        select h.block_id, ${each((n) => `avg(h.m${n}) as mean${n}, stddev_pop(h.m${n}) as spread${n}`)}
        from (select x.block_id, ${each(mean)} from (${before}) x) h group by 1
      ), late as (
        select h.block_id, ${each((n) => `max(h.m${n}) as max${n}, min(h.m${n}) as min${n}`)}
        from (select x.block_id, ${each(mean)} from (${since}) x) h group by 1
      )
      select l.block_id,
        array_send(array[${each((n) => `u.mean${n}, u.spread${n}, l.max${n}, l.min${n}`)}]::float8[])::text
      from late l join usual u using (block_id)`,
      parameters as never[],
    )
    .values()) as unknown as [blockId: number, packed: string][];
  const numbers = new Float64Array(LEVELS * SLOTS_PER_BLOCK);
  return new Map(
    rows.map(([blockId, packed]) => {
      unpackNumbers(packed, numbers);
      const column = (place: number) =>
        Float64Array.from(SLOTS, (slot) => numbers[LEVELS * slot + place] as number);
      return [blockId, { mean: column(0), deviation: column(1), max: column(2), min: column(3) }];
    }),
  );
}
