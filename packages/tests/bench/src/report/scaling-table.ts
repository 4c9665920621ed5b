import type { Saturated, ScalingOutcome, ScalingResult } from '../scenarios/scaling.ts';
import { ledgerLine } from './load-table.ts';
import { number, table } from './table.ts';

const TOLERATED = 0.1;

/** What a row costs, as a part of the first, had the machine been as fast then: the fixed work beside them tells. */
function costBesideFirst(row: Saturated, first: Saturated): number {
  return row.cpuSecondsPerMillion / row.unitCost / (first.cpuSecondsPerMillion / first.unitCost);
}

/** One consumer: what so many processes take a second and cost, and whether a second one lets the lag fall. */
export function scalingTable({ consumer, share, rate, saturated, catching }: ScalingResult): string {
  const costs = saturated.map((row) => costBesideFirst(row, saturated[0] ?? row));
  const rows = saturated.map(({ processes, samplesPerSecond, cpuSecondsPerMillion, unitCost }, index) => [
    number(processes),
    number(samplesPerSecond),
    number(cpuSecondsPerMillion, 3),
    number(unitCost * 1_000, 2),
    `${number((costs[index] ?? 0) * 100)} %`,
  ]);
  const heads = [
    `${consumer}s, each held to ${share} of a processor, on a backlog`,
    'samples a second',
    'their CPU-seconds a million',
    'fixed work meanwhile, CPU-ms',
    'cost of one, beside the fixed work',
  ];
  const dearest = Math.max(...costs.map((cost) => Math.abs(cost - 1)));
  const { caughtUpSeconds, behind, afterSeconds } = catching;
  const lines = [
    `Cost within ${TOLERATED * 100} % of one: ${dearest <= TOLERATED ? 'yes' : 'NO'}.`,
    `At ${number(rate)} samples a second and ${number(catching.share, 3)} of a processor each: one was ${number(behind)} records behind after ${number(afterSeconds)} s; ${caughtUpSeconds === null ? 'two did NOT catch up' : `with two nothing was left after ${number(caughtUpSeconds)} s`}.`,
  ];
  return `${table(heads, rows)}\n${lines.join('\n')}\n`;
}

export function scalingVerdict({ report, alerts }: ScalingOutcome): string {
  return `${ledgerLine(report)} Alerts expected ${alerts.expected}, missing ${alerts.missing.length}, unexpected ${alerts.unexpected.length}.\n${report.examples.join('\n')}`;
}
