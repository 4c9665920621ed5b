import type { ScalingOutcome, ScalingResult } from '../scenarios/scaling.ts';
import { ledgerLine } from './load-table.ts';
import { number, table } from './table.ts';

const TOLERATED = 0.1;

/** One consumer: what so many processes take a second and cost, and whether a second one lets the lag fall. */
export function scalingTable({ consumer, share, rate, scaled, catching }: ScalingResult): string {
  const beside = (cost: number) => cost / (scaled[0]?.loadCpuPerMillion ?? 0);
  const rows = scaled.map(({ processes, samplesPerSecond, backlogCpuPerMillion, loadCpuPerMillion }) => [
    number(processes),
    number(samplesPerSecond),
    number(backlogCpuPerMillion, 3),
    number(loadCpuPerMillion, 3),
    `${number(beside(loadCpuPerMillion) * 100)} %`,
  ]);
  const heads = [
    `${consumer}s, each held to ${share} of a processor`,
    'samples a second, on a backlog',
    'CPU-seconds a million there',
    `at ${number(rate)} samples a second`,
    'of what one costs',
  ];
  const dearest = Math.max(...scaled.map(({ loadCpuPerMillion }) => Math.abs(beside(loadCpuPerMillion) - 1)));
  const { caughtUpSeconds, behind, afterSeconds } = catching;
  const lines = [
    `At that load cost within ${TOLERATED * 100} % of one: ${dearest <= TOLERATED ? 'yes' : 'NO'}.`,
    `With ${number(catching.share, 3)} of a processor each: one was ${number(behind)} records behind after ${number(afterSeconds)} s; ${caughtUpSeconds === null ? 'two did NOT catch up' : `with two nothing was left after ${number(caughtUpSeconds)} s`}.`,
  ];
  return `${table(heads, rows)}\n${lines.join('\n')}\n`;
}

export function scalingVerdict({ report, alerts }: ScalingOutcome): string {
  return `${ledgerLine(report)} Alerts expected ${alerts.expected}, missing ${alerts.missing.length}, unexpected ${alerts.unexpected.length}.\n${report.examples.join('\n')}`;
}
