import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { type Sql, type Transaction, transact } from '@tidewatch/database/connection';
import { type ChunkColumns, decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { encodeRollupRow } from '@tidewatch/domain/chunk/rollup-row';
import { daysOfMonth, monthOf, withDay } from '@tidewatch/domain/rollup/month-rollups';
import type { Fence } from '../leases/lease.ts';
import { type BlockDay, decodeMonth, type PackedDays, packDays, writeDays } from './block-days.ts';
import { takeClosedDays } from './closed-days.ts';
import { dateOf, readPartitionDays } from './packed-partitions.ts';

/** The number of blocks that one transaction compares. */
const PART = 32;
/** How many differences are named. */
const MAX_NAMED = 1_000;

export interface RebuildOptions {
  /** Days that begin in `[from, to)` are compared, ms. */
  from: number;
  to: number;
  /** Whether rollups that differ are written again. */
  repairs: boolean;
  fence?: Fence;
}

/** A rollup that differs from what its samples give, or is missing. */
export interface RollupDifference {
  blockId: number;
  /** The start of the day, ms. */
  day: number;
  relation: 'packed_minutes' | 'packed_hours' | 'packed_days';
}

export interface Rebuilt {
  /** How many days of blocks were compared. */
  compared: number;
  differing: number;
  /** The first thousand of those that differ. */
  differences: RollupDifference[];
  /** Days whose samples cannot be read; they are not compared. */
  damaged: { blockId: number; day: number; reason: string }[];
}

/**
 * Computes the rollups of closed days from their samples and compares them with what is stored, bit for bit. Each transaction keeps seals of past days waiting for some tenths of a second.
 */
export async function rebuildRollups(sql: Sql, options: RebuildOptions): Promise<Rebuilt> {
  const { from, to, repairs, fence } = options;
  const rebuilt: Rebuilt = { compared: 0, differing: 0, differences: [], damaged: [] };
  const days = (await readPartitionDays(sql, 'sample_days')).filter((day) => day >= from && day < to);
  for (const day of days)
    for (let after: number | null = 0; after !== null; ) {
      const start: number = after;
      after = await transact(sql, async (tx) => {
        await fence?.(tx);
        await takeClosedDays(tx);
        return await rebuildPart(tx, day, start, repairs, rebuilt);
      });
    }
  return rebuilt;
}

/** Returns the last block that was compared; null if there are no more. */
async function rebuildPart(
  tx: Transaction,
  day: number,
  after: number,
  repairs: boolean,
  rebuilt: Rebuilt,
): Promise<number | null> {
  const rows = await tx<{ block_id: number; data: Buffer }[]>`
    select block_id, data from sample_days
    where day = ${dateOf(day)}::date and block_id > ${after} order by block_id limit ${PART}`;
  const packed = await packDays(readable(rows, day, rebuilt));
  const differences = await compare(tx, day, packed);
  rebuilt.compared += rows.length;
  rebuilt.differing += differences.length;
  rebuilt.differences.push(...differences.slice(0, MAX_NAMED - rebuilt.differences.length));
  if (repairs) await writeDays(tx, only(packed, new Set(differences.map(({ blockId }) => blockId))));
  return rows.length < PART ? null : (rows.at(-1)?.block_id ?? null);
}

/** Decodes days of blocks one after another, and names those that cannot be read. */
function* readable(
  rows: readonly { block_id: number; data: Buffer }[],
  day: number,
  { damaged }: Rebuilt,
): Generator<BlockDay> {
  for (const { block_id: blockId, data } of rows) {
    let columns: ChunkColumns;
    try {
      columns = decodeChunk(data);
    } catch (error) {
      if (!(error instanceof MalformedBytesError)) throw error;
      damaged.push({ blockId, day, reason: error.message });
      continue;
    }
    yield { blockId, day, columns };
  }
}

async function compare(tx: Transaction, day: number, packed: PackedDays): Promise<RollupDifference[]> {
  const ids = packed.days.map(({ blockId }) => blockId);
  const differences: RollupDifference[] = [];
  const read = async (relation: RollupDifference['relation'], column: string, time: number) => {
    const rows = await tx<{ block_id: number; data: Buffer }[]>`
      select block_id, data from ${tx(relation)}
      where ${tx(column)} = ${dateOf(time)}::date and block_id = any(${ids}::integer[])`;
    return new Map(rows.map((row) => [row.block_id, row.data]));
  };
  const note = (relation: RollupDifference['relation'], blockId: number, wanted: Buffer, found?: Buffer) => {
    if (found === undefined || !found.equals(wanted)) differences.push({ blockId, day, relation });
  };
  const minutes = await read('packed_minutes', 'day', day);
  for (const { blockId, data } of packed.minutes) note('packed_minutes', blockId, data, minutes.get(blockId));
  const hours = await read('packed_hours', 'day', day);
  for (const { blockId, data } of packed.hours) note('packed_hours', blockId, data, hours.get(blockId));
  const months = await read('packed_days', 'month', monthOf(day));
  for (const { blockId, rollups } of packed.days) {
    const found = months.get(blockId);
    const slots = withDay(decodeMonth(found).slots, rollups, day);
    note('packed_days', blockId, encodeRollupRow(daysOfMonth(day), slots), found);
  }
  return differences;
}

/** The rows of these blocks. */
function only({ samples, minutes, hours, days }: PackedDays, ids: ReadonlySet<number>): PackedDays {
  const own = <R extends { blockId: number }>(rows: R[]) => rows.filter(({ blockId }) => ids.has(blockId));
  return { samples: own(samples), minutes: own(minutes), hours: own(hours), days: own(days) };
}
