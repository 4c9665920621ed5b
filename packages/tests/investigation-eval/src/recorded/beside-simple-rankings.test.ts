import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { evaluateRecorded, PRODUCT, type Ranked } from './evaluate.ts';
import { recordedSets } from './parts.ts';
import { SIMPLE_RANKINGS } from './simple-rankings.ts';
import { meanOf, wilson } from './statistics.ts';

/** Beside the project, where the evaluation looks for recordings unless an option says otherwise. */
const DATA = fileURLToPath(new URL('../../../../../../shared/data', import.meta.url));
/** The share of healthy windows of which a cause may be named. */
const MAX_HEALTHY_NAMED = 1 / 20;

/** The share of incidents whose first candidate is a cause, and its 95 % interval. */
function top1(runs: readonly Ranked[], ranking: string): { share: number; high: number } {
  const applied = runs.flatMap(({ hits }) => hits[ranking] ?? []);
  const share = applied.length === 0 ? 0 : meanOf(applied.map((hits) => hits.top1));
  return { share, high: wilson(share, Math.max(1, applied.length))[1] };
}

describe.each(recordedSets(DATA))(
  '[needs recordings] the incidents of $name',
  { timeout: 120_000 },
  ({ set }) => {
    const runs = set === null ? [] : evaluateRecorded(set, 1);
    const incidents = runs.filter(({ healthy }) => !healthy);
    const groups = [...new Set(incidents.flatMap((run) => run.groups))];

    it.skipIf(set === null)(
      'no simple ranking finds more causes than the interval of the product allows',
      () => {
        expect(incidents.length).toBeGreaterThan(10);
        for (const group of [null, ...groups]) {
          const own = incidents.filter((run) => group === null || run.groups.includes(group));
          const product = top1(own, PRODUCT);
          for (const { name } of SIMPLE_RANKINGS)
            expect(top1(own, name).share, `${name}, ${group ?? 'all'}`).toBeLessThanOrEqual(product.high);
        }
      },
    );

    it.skipIf(set === null)('no more than one in twenty healthy windows is given a cause', () => {
      const healthy = runs.filter((run) => run.healthy);
      expect(healthy.length).toBeGreaterThan(5);
      const named = healthy.filter((run) => run.named).map(({ id }) => id);
      expect(named.length, named.join()).toBeLessThanOrEqual(Math.ceil(MAX_HEALTHY_NAMED * healthy.length));
    });
  },
);
