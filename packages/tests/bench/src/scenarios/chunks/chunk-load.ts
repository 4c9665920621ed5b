import type { ChunkColumns } from '@tidewatch/domain/chunk/chunk';
import type { RollupColumns } from '@tidewatch/domain/chunk/rollup-row';
import { RollupAccumulator } from '@tidewatch/domain/rollup/accumulator';
import { BLOCK_MIX, SERIES_KINDS, seededRandom } from './recorded-series.ts';

const BEGIN_MS = Date.UTC(2026, 10, 29);
const INTERVAL_MS = 10_000;
const SLOTS = 16;

/** The kinds of the sixteen series of a block: all of one kind, or those of a host where `kind` is null. */
function kindsOfBlock(kind: number | null): number[] {
  if (kind !== null) return new Array<number>(SLOTS).fill(kind);
  return BLOCK_MIX.flatMap((count, each) => new Array<number>(count).fill(each));
}

/** Chunks of `rows` rows ten seconds apart, which have `samples` numbers together and at least one chunk. */
export function makeChunks(kind: number | null, rows: number, samples: number): ChunkColumns[] {
  const random = seededRandom(rows * 7 + (kind ?? 99));
  return Array.from({ length: Math.max(1, Math.round(samples / rows / SLOTS)) }, () => ({
    times: Float64Array.from({ length: rows }, (_, row) => BEGIN_MS + row * INTERVAL_MS),
    slots: kindsOfBlock(kind).map((each) => {
      const next = SERIES_KINDS[each]?.open(random) ?? (() => 0);
      return Float64Array.from({ length: rows }, next);
    }),
  }));
}

/** The rollups of the steps of a chunk that begins with a step. */
export function rollUp({ times, slots }: ChunkColumns, stepMs: number, steps: number): RollupColumns[] {
  return slots.map((numbers) => {
    const made = ['sums', 'counts', 'mins', 'maxs'].map(() => new Float64Array(steps).fill(Number.NaN));
    const [sums, counts, mins, maxs] = made as [Float64Array, Float64Array, Float64Array, Float64Array];
    const accumulator = new RollupAccumulator();
    for (let row = 0; row < times.length; row += 1) {
      const step = Math.floor(((times[row] as number) - BEGIN_MS) / stepMs);
      if (accumulator.bucket !== step) accumulator.open(step);
      accumulator.add(0, numbers?.[row] as number);
      // The sum of decimals as a decimal, as it is when it is computed from scaled integers.
      sums[step] = Math.round(accumulator.sum(0) * 100) / 100;
      counts[step] = accumulator.count(0);
      mins[step] = accumulator.min(0);
      maxs[step] = accumulator.max(0);
    }
    return { sums, counts, mins, maxs };
  });
}

/** Payloads of hosts with `blocks` blocks each: the values of one time, NaN nowhere. */
export function makePayloads(hosts: number, blocks: number): { ids: number[]; values: Float64Array }[] {
  const random = seededRandom(hosts);
  return Array.from({ length: hosts }, (_, host) => ({
    ids: Array.from({ length: blocks }, (_, block) => 1 + host * blocks + block),
    values: Float64Array.from(
      Array.from({ length: blocks }, () => kindsOfBlock(null)).flat(),
      (kind) => SERIES_KINDS[kind]?.open(random)() ?? 0,
    ),
  }));
}

export const PAYLOAD_MS = BEGIN_MS;
