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
    ...confidences(runs),
    '',
    ...reasons(runs),
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

/** How often the named cause was right, for each confidence; healthy windows have no right cause. */
function confidences(runs: readonly Ranked[]): string[] {
  return [
    '| confidence | named | right (95 %) |',
    '|---|---|---|',
    ...(['high', 'medium', 'low'] as const).map((confidence) => {
      const named = runs.filter((run) => run.named && run.confidence === confidence);
      if (named.length === 0) return `| ${confidence} | 0 | |`;
      const right = named.filter((run) => run.right).length / named.length;
      const [low, high] = wilson(right, casesOf(named));
      return `| ${confidence} | ${casesOf(named)} | ${right.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)}) |`;
    }),
  ];
}

/** Why no cause was named, and how often the cause was the first or among the first three all the same. */
function reasons(runs: readonly Ranked[]): string[] {
  const unnamed = runs.filter(({ named }) => !named);
  return [
    '| why no cause is named | incidents | cause first | among three | healthy windows |',
    '|---|---|---|---|---|',
    ...[...new Set(unnamed.map(({ reason }) => reason))].sort().map((reason) => {
      const of = unnamed.filter((run) => run.reason === reason);
      const incidents = of.filter(({ healthy }) => !healthy);
      const share = (hit: (hits: Hits) => number) =>
        incidents.length === 0
          ? ''
          : meanOf(incidents.map(({ hits }) => hit(hits[PRODUCT] as Hits))).toFixed(2);
      const healthy = casesOf(of.filter((run) => run.healthy));
      return `| ${reason} | ${casesOf(incidents)} | ${share(({ top1 }) => top1)} | ${share(({ top3 }) => top3)} | ${healthy} |`;
    }),
  ];
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
