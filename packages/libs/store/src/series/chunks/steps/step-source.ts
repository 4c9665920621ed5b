import { perRollupTier, ROLLUP_TIERS, type RollupTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { RollupColumns } from '@tidewatch/domain/chunk/rollup-row';
import { TIER_MS, type Tier } from '@tidewatch/domain/rollup/buckets';
import type { KnownBlocks, Range, RetainedFrom } from '../../series-columns.ts';
import { BlockColumns } from '../stored/block-columns.ts';
import type { LogPlaces } from '../stored/block-places.ts';
import { PACKED_ROLLUPS, SAMPLE_DAYS } from '../stored/day-relations.ts';
import { chunksOf, DecodedPiece, DecodedRollups, readParts } from '../stored/fetched-rows.ts';
import { readWithTail } from '../stored/known-chunks.ts';
import { type LogTail, NO_TAIL } from '../stored/log-tail.ts';
import { isMany, joinedSpans, masksOf, outerRange, type WantedColumns } from '../stored/read-columns.ts';
import { type BlockChunks, type RowSpan, readStored, type StoredRow } from '../stored/stored-rows.ts';
import { GrowingSteps, mergeInto } from './step-columns.ts';
import { daysOfTier, type PlannedDay, type PlannedPart, planDays } from './step-plan.ts';

const NOTHING = { tail: NO_TAIL, chunks: new Map<number, BlockChunks>() };

type Rollups = Readonly<Record<RollupTier, ReadonlyMap<number, DecodedRollups>>>;

/** Plans days of ranges, of which many are alike. */
export class StepPlans {
  readonly #tier: Tier;
  readonly #retained: RetainedFrom;
  readonly #days = new Map<string, PlannedDay[]>();
  #last: (Range & { days: PlannedDay[] }) | null = null;

  constructor(tier: Tier, retained: RetainedFrom) {
    this.#tier = tier;
    this.#retained = retained;
  }

  of({ from, to }: Range): PlannedDay[] {
    if (this.#last?.from === from && this.#last.to === to) return this.#last.days;
    const key = `${from}/${to}`;
    let days = this.#days.get(key);
    if (days === undefined) {
      days = planDays(this.#tier, { from, to }, this.#retained);
      this.#days.set(key, days);
    }
    this.#last = { from, to, days };
    return days;
  }
}

/** What steps of blocks are computed from: rollups of closed days, and samples of others. */
export class StepSource {
  readonly #plans: StepPlans;
  readonly #tail: LogTail;
  readonly #chunks: ReadonlyMap<number, BlockChunks>;
  readonly #rollups: Rollups;
  /** The closed days of which samples are needed, by `dayKey`. */
  readonly #days: ReadonlyMap<number, DecodedPiece>;
  /** The days of the block that was asked for last: what is opened of a block is garbage before the next one is. */
  #open: { blockId: number; columns: BlockColumns } | null = null;

  constructor(
    plans: StepPlans,
    stored: { tail: LogTail; chunks: ReadonlyMap<number, BlockChunks> },
    rollups: Rollups,
    days: ReadonlyMap<number, DecodedPiece>,
  ) {
    this.#plans = plans;
    this.#tail = stored.tail;
    this.#chunks = stored.chunks;
    this.#rollups = rollups;
    this.#days = days;
  }

  /** Adds the steps of a slot in a range that was read; `into` has no later ones. */
  addSteps(into: GrowingSteps, blockId: number, slot: number, range: Range, stepMs: number): void {
    let late: GrowingSteps | null = null;
    for (const planned of this.#plans.of(range)) {
      const columns = this.#samplesOf(blockId, slot, planned);
      if (columns !== null) {
        into.addSamples(columns.view(slot, planned), stepMs);
        continue;
      }
      for (const part of planned.parts) this.#addRollups(into, blockId, slot, part, stepMs);
      // Samples of the day that are not yet part of its rollups, which is possible where its samples are gone.
      if (!this.#tail.hasRows(blockId, planned)) continue;
      late ??= new GrowingSteps();
      late.addSamples(new BlockColumns([], this.#tail.of(blockId)).view(slot, planned), stepMs);
    }
    if (late !== null) mergeInto(into, late.steps());
  }

  /** The samples of a day; null if its steps are computed from rollups. */
  #samplesOf(blockId: number, slot: number, planned: PlannedDay): BlockColumns | null {
    const closed = this.#days.get(dayKey(blockId, planned.day));
    if (closed !== undefined) return new BlockColumns([closed], this.#tail.of(blockId));
    const isRolledUp = planned.parts.some((part) => this.#rollupsOf(blockId, slot, part) !== null);
    return isRolledUp ? null : this.#openDaysOf(blockId);
  }

  #openDaysOf(blockId: number): BlockColumns {
    if (this.#open?.blockId === blockId) return this.#open.columns;
    const readers = chunksOf(this.#chunks.get(blockId));
    const pieces = readers.map((reader) => new DecodedPiece(reader));
    const columns = new BlockColumns(pieces, this.#tail.of(blockId));
    this.#open = { blockId, columns };
    return columns;
  }

  /** The rollups that a part is computed from, with the start of the first one; null if there are none. */
  #rollupsOf(blockId: number, slot: number, { tier, from }: PlannedPart): DecodedRollups | null {
    if (tier === 'raw') return null;
    const at = PACKED_ROLLUPS[tier].startOf(from);
    const row = this.#rollups[tier].get(dayKey(blockId, at)) ?? null;
    if (row === null || tier !== '1d') return row;
    // The row of a month has the days that are closed.
    const counts = row.slot(slot)?.counts;
    return counts === undefined || Number.isNaN(counts[Math.floor((from - at) / DAY_MS)]) ? null : row;
  }

  #addRollups(into: GrowingSteps, blockId: number, slot: number, part: PlannedPart, stepMs: number): void {
    const columns = this.#rollupsOf(blockId, slot, part)?.slot(slot) ?? null;
    if (columns === null || part.tier === 'raw') return;
    addRollups(into, columns, PACKED_ROLLUPS[part.tier].startOf(part.from), TIER_MS[part.tier], part, stepMs);
  }
}

/** Adds the rollups of buckets that begin in a range; the first bucket of the columns begins at `start`. */
function addRollups(
  into: GrowingSteps,
  { sums, counts, mins, maxs }: RollupColumns,
  start: number,
  widthMs: number,
  { from, to }: Range,
  stepMs: number,
): void {
  const end = Math.min(counts.length, Math.ceil((to - start) / widthMs));
  for (let index = Math.max(0, Math.ceil((from - start) / widthMs)); index < end; index += 1) {
    const count = counts[index] as number;
    if (Number.isNaN(count)) continue;
    const at = Math.floor((start + index * widthMs) / stepMs) * stepMs;
    into.add(at, sums[index] as number, count, mins[index] as number, maxs[index] as number);
  }
}

/** A number for each block and day. */
function dayKey(blockId: number, day: number): number {
  return blockId * 2 ** 16 + day / DAY_MS;
}

/** Reads what steps of slots in spans are computed from; every tier that is coarser than samples. */
export async function readStepSource(
  tx: Queryable,
  wanted: readonly WantedColumns[],
  { tier, retained }: { tier: RollupTier; retained: RetainedFrom },
  known?: KnownBlocks | LogPlaces,
): Promise<StepSource> {
  const plans = new StepPlans(tier, retained);
  const masks = masksOf(wanted);
  const maskOf = ({ blockId }: { blockId: number }) => masks.get(blockId) ?? 0;
  const chunks = joinedSpans(wanted).map((span) => ({ ...span, mask: maskOf(span) }));
  if (chunks.length === 0)
    return new StepSource(
      plans,
      NOTHING,
      perRollupTier(() => new Map()),
      new Map(),
    );
  const rows = ROLLUP_TIERS.map((each) => {
    const days = wanted.flatMap((want) =>
      daysOfTier(plans.of(want), each).map((range) => ({ blockId: want.blockId, ...range })),
    );
    const spans = joinedSpans(days).map((span): RowSpan => ({ ...span, isWhole: isMany(maskOf(span)) }));
    return { relation: PACKED_ROLLUPS[each], spans };
  });
  const stored = await readWithTail(tx, [...masks.keys()], outerRange(chunks), { chunks, rows }, known);
  const rollups = await rollupsOf(tx, stored.rows, maskOf);
  const days = await readNeededDays(tx, wanted, plans, { tail: stored.tail, rollups, maskOf });
  return new StepSource(plans, stored, rollups, days);
}

async function rollupsOf(
  tx: Queryable,
  rows: readonly StoredRow[],
  maskOf: (row: { blockId: number }) => number,
): Promise<Rollups> {
  const rollups = perRollupTier(() => new Map<number, DecodedRollups>());
  const fetched = await readParts(tx, rows, maskOf);
  for (const [index, row] of fetched.entries()) {
    if (row === null) continue;
    const tier = ROLLUP_TIERS.find((each) => PACKED_ROLLUPS[each] === rows[index]?.relation) as RollupTier;
    rollups[tier].set(dayKey(row.blockId, row.at), new DecodedRollups(row));
  }
  return rollups;
}

/** Reads the samples of closed days of which some are needed: since buckets are only partly wanted, or the log has more of the day. */
async function readNeededDays(
  tx: Queryable,
  wanted: readonly WantedColumns[],
  plans: StepPlans,
  {
    tail,
    rollups,
    maskOf,
  }: { tail: LogTail; rollups: Rollups; maskOf: (row: { blockId: number }) => number },
): Promise<Map<number, DecodedPiece>> {
  const spans = wanted.flatMap((want) =>
    plans.of(want).flatMap(({ day, parts, from, to }): RowSpan[] => {
      const isNeeded = parts.some(({ tier }) => tier === 'raw') || tail.hasRows(want.blockId, { from, to });
      // A day without rollups of its minutes or hours is not closed.
      const isOpen = parts.some(
        ({ tier }) => (tier === '1m' || tier === '1h') && !rollups[tier].has(dayKey(want.blockId, day)),
      );
      if (!isNeeded || isOpen) return [];
      return [{ blockId: want.blockId, from: day, to: day + DAY_MS, isWhole: isMany(maskOf(want)) }];
    }),
  );
  const days = new Map<number, DecodedPiece>();
  if (spans.length === 0) return days;
  const joined = joinedSpans(spans).map((span) => ({ ...span, isWhole: isMany(maskOf(span)) }));
  const { rows } = await readStored(tx, {
    log: null,
    chunks: [],
    rows: [{ relation: SAMPLE_DAYS, spans: joined }],
  });
  for (const row of await readParts(tx, rows, maskOf))
    if (row !== null) days.set(dayKey(row.blockId, row.at), DecodedPiece.ofRow(row));
  return days;
}
