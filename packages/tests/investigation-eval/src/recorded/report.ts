import { PRODUCT, type Ranked } from './evaluate.ts';
import type { Hits } from './hits.ts';
import { SIMPLE_RANKINGS } from './simple-rankings.ts';
import { meanOf, wilson } from './statistics.ts';

/** The results as Markdown: what was concluded, and a table of the rankings for each group of incidents. */
export function recordedReport(runs: readonly Ranked[]): string {
  const incidents = runs.filter(({ healthy }) => !healthy);
  const groups = [...new Set(incidents.flatMap(({ groups }) => groups))];
  return [
    ...conclusions('all', runs),
    '',
    ...rankings('all', incidents),
    ...groups.flatMap((group) => {
      const own = runs.filter(({ groups }) => groups.includes(group));
      return [
        '',
        ...conclusions(group, own),
        '',
        ...rankings(
          group,
          own.filter(({ healthy }) => !healthy),
        ),
      ];
    }),
  ].join('\n');
}

function conclusions(group: string, runs: readonly Ranked[]): string[] {
  const incidents = runs.filter(({ healthy }) => !healthy);
  const healthy = runs.filter((run) => run.healthy);
  const cases = casesOf(runs);
  const perRenaming = (count: number) => (count * cases) / Math.max(1, runs.length);
  const count = (part: readonly Ranked[], test: (run: Ranked) => boolean) =>
    perRenaming(part.filter(test).length).toFixed(1);
  const seconds = runs.map(({ cpuSeconds }) => cpuSeconds);
  const falsely =
    healthy.length === 0
      ? ''
      : `; falsely in ${count(healthy, ({ named }) => named)} of ${casesOf(healthy)} healthy windows`;
  return [
    `${group}: root_cause_found in ${count(incidents, ({ named }) => named)} of ${casesOf(incidents)} incidents, right in ${count(incidents, ({ right }) => right)}${falsely}; ${meanOf(seconds).toFixed(3)} s of processor time a run (max ${Math.max(...seconds).toFixed(3)}).`,
  ];
}

function rankings(group: string, incidents: readonly Ranked[]): string[] {
  return [
    `| ranking, ${group} | incidents | top-1 (95 %) | top-3 (95 %) | first n of n |`,
    '|---|---|---|---|---|',
    ...[PRODUCT, ...SIMPLE_RANKINGS.map(({ name }) => name)].map((name) => {
      const applied = incidents.filter(({ hits }) => hits[name] !== undefined);
      if (applied.length === 0) return `| ${name} | 0 | | | |`;
      const cases = casesOf(applied);
      const mean = (of: (hits: Hits) => number) => meanOf(applied.map(({ hits }) => of(hits[name] as Hits)));
      const share = (value: number) => {
        const [low, high] = wilson(value, cases);
        return `${value.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)})`;
      };
      return `| ${name} | ${cases} | ${share(mean(({ top1 }) => top1))} | ${share(mean(({ top3 }) => top3))} | ${mean(({ firstN }) => firstN).toFixed(2)} |`;
    }),
  ];
}

function casesOf(runs: readonly Ranked[]): number {
  return new Set(runs.map(({ id }) => id)).size;
}
