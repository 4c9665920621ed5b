import type { Percentiles } from '../measure/percentile.ts';
import type { InvestigationResult } from '../scenarios/investigation.ts';
import { number, table } from './table.ts';

export function investigationTable(result: InvestigationResult): string {
  const { hosts, samples, filledSeconds, runs, burst, ingestAtRest, ingestMeanwhile } = result;
  const list = (values: readonly number[]) => values.map((value) => number(value, 2)).join(' / ');
  const took = ({ p50, p99, max }: Percentiles) =>
    `${number(p50, 1)} / ${number(p99, 1)} / ${number(max, 1)} ms`;
  return table(
    ['figure', 'value'],
    [
      ['hosts and samples', `${number(hosts)} and ${number(samples)}, in ${number(filledSeconds, 0)} s`],
      ['seconds of a run', list(runs.map(({ seconds }) => seconds))],
      ['CPU-s of a run, Node', list(runs.map(({ node }) => node))],
      ['CPU-s of a run, PostgreSQL', list(runs.map(({ postgres }) => postgres))],
      ['conclusions', runs.map(({ conclusion }) => conclusion ?? 'none').join(' / ')],
      [
        'alerts at once',
        `${number(burst.alerts)}; queue empty after ${number(burst.drainedSeconds, 1)} s, slowest run ${number(burst.slowestSeconds, 2)} s`,
      ],
      ['ingest p50 / p99 / max, at rest', took(ingestAtRest)],
      ['the same while the queue drains', took(ingestMeanwhile)],
    ],
  );
}
