import type { ScalingOutcome, ScalingResult } from '../scenarios/scaling.ts';
import { ledgerLine } from './load-table.ts';
import { number, table } from './table.ts';

const TOLERATED = 0.1;

/** One consumer: what so many processes take a second and cost, and whether a second one lets the lag fall. */
export function scalingTable({ consumer, share, rate, saturated, catching }: ScalingResult): string {
  const first = saturated[0]?.cpuSecondsPerMillion ?? 0;
  const rows = saturated.map(({ processes, samplesPerSecond, cpuSecondsPerMillion }) => [
    number(processes),
    number(samplesPerSecond),
    number(cpuSecondsPerMillion, 3),
    `${number((cpuSecondsPerMillion / first) * 100)} %`,
  ]);
  const heads = [
    `${consumer}s, each held to ${share} of a processor, on a backlog`,
    'samples a second',
    'their CPU-seconds a million',
    'of one',
  ];
  const dearest = Math.max(...saturated.map((row) => Math.abs(row.cpuSecondsPerMillion / first - 1)));
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
