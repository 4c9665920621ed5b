import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { runsOf } from '@tidewatch/domain/preview/runs';
import { type Hour, QUIET } from '@tidewatch/domain/preview/stretches';
import { slotKey } from '../slot-key.ts';
import { iso, SqlParameters } from './sql-parameters.ts';

/** The hours of a slot that were read so far, in order. */
export interface KnownHours {
  blockId: number;
  slot: number;
  hours: readonly Hour[];
}

/**
 * Reads the quiet hours of slots in `[from, to)` that can change the result: the last one before and the first one after
 * each run of other hours, and the last hour. Returns them by `slotKey`; known hours may be among them.
 */
export async function readQuietNeighbours(
  tx: Queryable,
  known: readonly KnownHours[],
  { from, to }: { from: number; to: number },
): Promise<Map<number, Hour[]>> {
  const parameters = new SqlParameters();
  const range = {
    from: `${parameters.add(iso(from))}::timestamptz`,
    to: `${parameters.add(iso(to))}::timestamptz`,
  };
  const parts = [...Map.groupBy(known, ({ slot }) => slot)].flatMap(([slot, own]) => {
    const runs = own.flatMap(({ blockId, hours }) => runsOf(hours).map((run) => ({ blockId, ...run })));
    const list = (values: readonly unknown[]) => parameters.add(values.map(String));
    const hours = (condition: string, order: string) =>
      `(select r.bucket, r.cnt${slot} from rollup_1h r where r.block_id = p.block_id and r.max${slot} is not null
        and r.bucket >= ${range.from} and r.bucket < ${range.to} ${condition} ${order})`;
    const ends = `select p.block_id, ${slot}, date_part('epoch', x.bucket) * 1000, x.count
      from unnest(${list(own.map(({ blockId }) => blockId))}::text[]::int[]) as p (block_id)
      cross join lateral ${hours('', 'order by r.bucket desc limit 1')} as x (bucket, count)`;
    if (runs.length === 0) return [ends];
    const around = `select p.block_id, ${slot}, date_part('epoch', x.bucket) * 1000, x.count
      from unnest(${list(runs.map(({ blockId }) => blockId))}::text[]::int[],
        ${list(runs.map((run) => iso(run.from - HOUR_MS)))}::text[]::timestamptz[],
        ${list(runs.map((run) => iso(run.to)))}::text[]::timestamptz[]) as p (block_id, before, after)
      cross join lateral (
        ${hours('and r.bucket = p.before', '')} union all
        ${hours('and r.bucket >= p.after', 'order by r.bucket limit 1')}
      ) as x (bucket, count)`;
    return [ends, around];
  });
  if (parts.length === 0) return new Map();
  const rows = (await tx
    .unsafe(parts.join(' union all '), parameters.values as never[])
    .values()) as unknown as [blockId: number, slot: number, start: number, values: number][];
  const found = Map.groupBy(rows, ([blockId, slot]) => slotKey({ blockId, slot }));
  return new Map(
    [...found].map(([key, own]) => [
      key,
      own.map(([, , start, values]) => ({ start, loudness: QUIET, values })),
    ]),
  );
}
