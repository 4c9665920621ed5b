import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_DATA } from '../options.ts';
import { evaluateRecorded, PRODUCT, type Ranked } from './evaluate.ts';
import { recordedSets } from './parts.ts';
import { SIMPLE_RANKINGS } from './simple-rankings.ts';
import { meanOf, wilson } from './statistics.ts';

const DATA = fileURLToPath(new URL(`../../../../../${DEFAULT_DATA}`, import.meta.url));
/** Timeout of the evaluation of a set, ms: it takes seconds of CPU time, and longer on a busy machine. */
const PATIENCE = 120_000;
/** The share of healthy windows of which a cause may be named. */
const MAX_HEALTHY_NAMED = 1 / 20;

/** The share of incidents whose first candidate is a cause, and the upper end of its 95 % interval. */
function top1(runs: readonly Ranked[], ranking: string): { share: number; high: number } {
  const applied = runs.flatMap(({ hits }) => hits[ranking] ?? []);
  const share = applied.length === 0 ? 0 : meanOf(applied.map((hits) => hits.top1));
  return { share, high: wilson(share, Math.max(1, applied.length))[1] };
}

for (const { name, set } of recordedSets(DATA))
  describe.skipIf(set === null)(`[needs recordings] the incidents of ${name}`, () => {
    let runs: readonly Ranked[] = [];
    beforeAll(() => {
      if (set !== null) runs = evaluateRecorded(set, 1);
    }, PATIENCE);

    it('no simple ranking finds more causes than the interval of the product allows', () => {
      const incidents = runs.filter(({ healthy }) => !healthy);
      expect(incidents.length).toBeGreaterThan(10);
      for (const group of [null, ...new Set(incidents.flatMap(({ groups }) => groups))]) {
        const own = incidents.filter(({ groups }) => group === null || groups.includes(group));
        const product = top1(own, PRODUCT);
        for (const ranking of SIMPLE_RANKINGS)
          expect(top1(own, ranking.name).share, `${ranking.name}, ${group ?? 'all'}`).toBeLessThanOrEqual(
            product.high,
          );
      }
    });

    it('no more than one in twenty healthy windows is given a cause', () => {
      const healthy = runs.filter((run) => run.healthy);
      expect(healthy.length).toBeGreaterThan(5);
      const named = healthy.filter((run) => run.named).map(({ id }) => id);
      expect(named.length, named.join()).toBeLessThanOrEqual(MAX_HEALTHY_NAMED * healthy.length);
    });
  });
