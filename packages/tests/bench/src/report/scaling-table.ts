import { ledgerLine } from './load-table.ts';
import type { Scaled, ScalingOutcome, ScalingResult } from './scaling-result.ts';
import { number, table } from './table.ts';

const TOLERATED = 0.1;

/**
 * Returns the table of one consumer: throughput and cost for each number of processes, and whether a second process
 * reduces the lag.
 */
export function scalingTable({ consumer, share, scaled, catching }: ScalingResult): string {
  const [one] = scaled;
  const besideOne = (each: Scaled) => each.cpuPerMillion / (one?.cpuPerMillion ?? Number.NaN);
  const rows = scaled.map((each) => [
    number(each.processes),
    number(each.sentPerSecond),
    number(each.samplesPerSecond),
    withRounds(each, ({ cpuPerMillion }) => cpuPerMillion),
    withRounds(each, ({ generatorPerMillion }) => generatorPerMillion),
    `${number(besideOne(each) * 100)} %`,
  ]);
  const heads = [
    `${consumer}s, each held to ${share} of a processor`,
    'samples a second that come',
    'samples a second that they do',
    'CPU-seconds a million (each round)',
    'of the generator',
    'of what one costs',
  ];
  const isKept = scaled.every((each) => Math.abs(besideOne(each) - 1) <= TOLERATED);
  const { caughtUpSeconds, behind, afterSeconds } = catching;
  const lines = [
    `Cost within ${TOLERATED * 100} % of one: ${isKept ? 'yes' : 'NO'}.`,
    `One was ${number(behind)} records behind after ${number(afterSeconds)} s; ${caughtUpSeconds === null ? 'two did NOT catch up' : `with two nothing was left after ${number(caughtUpSeconds)} s`}.`,
  ];
  return `${table(heads, rows)}\n${lines.join('\n')}\n`;
}

type Costs = Scaled['rounds'][number];

function withRounds(scaled: Scaled, cost: (of: Costs) => number): string {
  return `${number(cost(scaled), 3)} (${scaled.rounds.map((round) => number(cost(round), 3)).join(', ')})`;
}

export function scalingVerdict({ report, alerts }: ScalingOutcome): string {
  return `${ledgerLine(report)} Alerts expected ${alerts.expected}, missing ${alerts.missing.length}, unexpected ${alerts.unexpected.length}.\n${report.examples.join('\n')}`;
}
