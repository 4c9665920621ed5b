import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { perTier, TIERS } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { retainedTiers, TIER_MS } from '@tidewatch/domain/rollup/buckets';
import { CONTRACT_RETENTION } from '@tidewatch/store/backends/store.contract';
import { Choices } from '@tidewatch/store/series/contract/choices.fixture';
import { storedSeries } from '@tidewatch/store/series/stored-series';

const KEPT = perTier((tier) => CONTRACT_RETENTION[tier] * DAY_MS);
const QUESTIONS = 24;
/** Values of the streams have two decimals: a hundred times their sum is an integer. */
const hundredths = (sums: Iterable<number>) => Array.from(sums, (sum) => Math.round(sum * 100));

/** Adds processes to some payloads of a stream. */
export function withLists(payloads: readonly Payload[], random: () => number): Payload[] {
  return payloads.map((payload) => {
    if (random() < 0.7) return payload;
    const cpu_percent = Math.round(random() * 1_000) / 10;
    return { ...payload, processes: [{ pid: 7, name: 'postgres', cpu_percent, memory_rss: 4_096 }] };
  });
}

/** Asks the reader of series random questions, the same ones for the same seed, times and places. */
export async function readAnswers(
  sql: Sql,
  { random, now, times }: { random: () => number; now: number; times: readonly number[] },
): Promise<unknown[]> {
  const places = await sql<{ blockId: number; slot: number }[]>`
    select b.id as "blockId", m.place::int - 1 as slot
    from blocks b cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where m.metric <> '' order by 1, 2`;
  const choices = new Choices(random, now, times);
  const retained = retainedTiers(now, KEPT);
  const answers: unknown[] = [];
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    for (let question = 0; question < QUESTIONS; question += 1) {
      const some = choices.some(places);
      const tier = choices.one(TIERS);
      const range = choices.range(tier !== 'raw' && choices.isTrue(0.6));
      const stepMs = tier === 'raw' ? 90_000 : TIER_MS[tier] * choices.one([1, 2, 5]);
      const steps = await storedSeries.steps(tx, some, { ...range, tier, stepMs, retained });
      answers.push(
        ...some.map((place) => {
          const found = steps.get(place);
          if (found === undefined || found.at.length === 0) return null;
          const { at, count, min, max, sum } = found;
          const columns = [at, count, min, max].map((column) => [...column]);
          return { question, tier, stepMs, range, place, columns, sums: hundredths(sum) };
        }),
      );
      const spans = some.map((place) => ({ ...place, ...choices.range(choices.isTrue(0.3)) }));
      const samples = await storedSeries.samples(
        tx,
        spans.map((span) => ({ ...span, firstOnly: false })),
        { withBackfill: choices.isTrue(0.5) },
      );
      answers.push(...samples.map((own, index) => [spans[index], [...own.times], [...own.values]]));
      const blocks = [...new Map(spans.map((span) => [span.blockId, span])).values()];
      answers.push([...(await storedSeries.newestTimes(tx, blocks))].sort(([a], [b]) => a - b));
      const bySlot = await storedSeries.newestBySlot(tx, blocks);
      answers.push(blocks.map(({ blockId }) => [...(bySlot.get(blockId) ?? [])]));
      const { to } = choices.range(false);
      answers.push(await storedSeries.newestValues(tx, some, { to, withinMs: DAY_MS }));
    }
  });
  return answers;
}
