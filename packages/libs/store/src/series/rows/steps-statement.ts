import { perTier, TIER_FACTS } from '@tidewatch/contracts/rollups/tiers';
import { TIER_MS, TIERS, type Tier } from '@tidewatch/domain/rollup/buckets';
import { summandOf } from '../../rollups/summand.ts';
import type { Span, Spans } from './spans.ts';

/** The source of a range of samples. */
export type Source = Tier | 'backfill';

const TABLES: Record<Source, string> = {
  ...perTier((tier) => TIER_FACTS[tier].relation),
  backfill: 'samples_backfill',
};

/** The measures that are read of each slot. */
export type Measures = 'all' | 'means';

const COLUMNS: Record<Measures, (slot: number) => string> = {
  all: (n) => `x.s${n}, coalesce(x.c${n}, 0)::float8, x.l${n}, x.h${n}`,
  means: (n) => `x.s${n} / nullif(x.c${n}, 0)`,
};
const MERGED_COLUMNS: Record<Measures, (slot: number) => string> = {
  all: (n) => `sum(x.s${n}), coalesce(sum(x.c${n}), 0)::float8, min(x.l${n}), max(x.h${n})`,
  means: (n) => `sum(x.s${n}) / nullif(sum(x.c${n}), 0)`,
};

export interface Statement {
  text: string;
  parameters: (number[] | string[] | string)[];
}

/**
 * Builds the statement that reads ranges in steps: at most one row for each block, source and step, with the packed sum,
 * count, min and max of each slot (or its mean), unordered. Null if there is nothing to read. The text contains only slot
 * numbers and the step; everything else is a parameter.
 */
export function stepsStatement(
  spans: Spans & { backfill: Span[] },
  slots: readonly number[],
  stepMs: number,
  measures: Measures,
): Statement | null {
  const parameters: Statement['parameters'] = [];
  const parts = (Object.keys(TABLES) as Source[]).flatMap((source) => {
    if (spans[source].length === 0) return [];
    return [part(source, spans[source], { slots, stepMs, measures }, parameters)];
  });
  if (parts.length === 0) return null;
  return { text: parts.join(' union all '), parameters };
}

/**
 * SQL of the rows of all ranges, for statements that aggregate them: block_id, `at`, and for each slot n the sum sn, count
 * cn, min ln and max hn. Null if there is nothing to read.
 */
export function stepRows(
  spans: Spans,
  slots: readonly number[],
  parameters: Statement['parameters'],
): string | null {
  const parts = TIERS.filter((tier) => spans[tier].length > 0).map((tier) =>
    rowsOf(tier, spans[tier], slots, parameters),
  );
  return parts.length === 0 ? null : parts.join(' union all ');
}

function part(
  source: Source,
  spans: readonly Span[],
  { slots, stepMs, measures }: { slots: readonly number[]; stepMs: number; measures: Measures },
  parameters: Statement['parameters'],
): string {
  const rows = rowsOf(source, spans, slots, parameters);
  const epoch = (at: string) => `(date_part('epoch', ${at}) * 1000)::int8`;
  // Buckets of the same width as the step need no grouping.
  if (source !== 'raw' && source !== 'backfill' && TIER_MS[source] === stepMs) {
    const columns = slots.map(COLUMNS[measures]);
    return `select x.block_id, ${epoch('x.at')}, array_send(array[${columns.join(', ')}]::float8[])::text from (${rows}) x`;
  }
  const merged = slots.map(MERGED_COLUMNS[measures]);
  const bin = `date_bin(interval '${stepMs / 1_000} seconds', x.at, timestamptz '1970-01-01 00:00:00+00')`;
  // Grouped by the timestamp and left unordered, to avoid a sort of wide rows; the reader sorts.
  return `select g.block_id, ${epoch('g.at')}, g.packed::text from (
      select x.block_id, ${bin} as at, array_send(array[${merged.join(', ')}]::float8[]) as packed
      from (${rows}) x group by 1, 2) g`;
}

function rowsOf(
  source: Source,
  spans: readonly Span[],
  slots: readonly number[],
  parameters: Statement['parameters'],
): string {
  const isRollup = source !== 'raw' && source !== 'backfill';
  const at = isRollup ? 'bucket' : '"time"';
  const columns = slots.map((n) =>
    isRollup
      ? `r.sum${n} as s${n}, r.cnt${n} as c${n}, r.min${n} as l${n}, r.max${n} as h${n}`
      : `${summandOf(`r.v${n}`)} as s${n}, (r.v${n} is not null)::int as c${n}, r.v${n} as l${n}, r.v${n} as h${n}`,
  );
  const add = (value: number[] | string[] | string) => `$${parameters.push(value)}`;
  const iso = (ms: number) => new Date(ms).toISOString();
  const ids = add(spans.map((span) => span.blockId));
  const froms = add(spans.map((span) => iso(span.from)));
  const tos = add(spans.map((span) => iso(span.to)));
  // The planner excludes partitions by the outer bounds.
  const first = add(iso(spans.reduce((min, span) => Math.min(min, span.from), Number.POSITIVE_INFINITY)));
  const last = add(iso(spans.reduce((max, span) => Math.max(max, span.to), Number.NEGATIVE_INFINITY)));
  return `select p.block_id, y.* from unnest(${ids}::int[], ${froms}::text[]::timestamptz[], ${tos}::text[]::timestamptz[])
      as p (block_id, a, b)
    cross join lateral (
      select r.${at} as at, ${columns.join(', ')} from ${TABLES[source]} r
      where r.block_id = p.block_id and r.${at} >= p.a and r.${at} < p.b
        and r.${at} >= ${first}::timestamptz and r.${at} < ${last}::timestamptz
      offset 0
    ) y`;
}
