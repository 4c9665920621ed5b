import type { Scaled, ScalingOutcome, ScalingResult } from '../scenarios/scaling.ts';
import { ledgerLine } from './load-table.ts';
import { number, table } from './table.ts';

const TOLERATED = 0.1;

/** One consumer: what so many processes do and cost, and whether a second one lets the lag fall. */
export function scalingTable({ consumer, share, scaled, catching }: ScalingResult): string {
  const [one] = scaled;
  const besideOne = (each: Scaled, cost: (of: Scaled) => number) =>
    cost(each) / (one ? cost(one) : Number.NaN);
  const rows = scaled.map((each) => [
    number(each.processes),
    number(each.sentPerSecond),
    number(each.samplesPerSecond),
    withRounds(each, ({ cpuPerMillion }) => cpuPerMillion),
    withRounds(each, ({ generatorPerMillion }) => generatorPerMillion),
    percent(besideOne(each, asMeasured)),
    percent(besideOne(each, byGenerator)),
  ]);
  const heads = [
    `${consumer}s, each held to ${share} of a processor`,
    'samples a second that come',
    'samples a second that they do',
    'CPU-seconds a million (each round)',
    'of the generator',
    'of what one costs',
    "the same in the generator's",
  ];
  const isKept = (cost: (of: Scaled) => number) =>
    scaled.every((each) => Math.abs(besideOne(each, cost) - 1) <= TOLERATED) ? 'yes' : 'NO';
  const { caughtUpSeconds, behind, afterSeconds } = catching;
  const lines = [
    `Cost within ${TOLERATED * 100} % of one: ${isKept(asMeasured)}; measured by what the generator took meanwhile: ${isKept(byGenerator)}.`,
    `One was ${number(behind)} records behind after ${number(afterSeconds)} s; ${caughtUpSeconds === null ? 'two did NOT catch up' : `with two nothing was left after ${number(caughtUpSeconds)} s`}.`,
  ];
  return `${table(heads, rows)}\n${lines.join('\n')}\n`;
}

const asMeasured = ({ cpuPerMillion }: Scaled) => cpuPerMillion;
/** The generator does the same for each sample whatever takes them, so a machine that is slow for a while is slow for both. */
const byGenerator = ({ cpuPerMillion, generatorPerMillion }: Scaled) => cpuPerMillion / generatorPerMillion;

type Costs = Scaled['rounds'][number];

function withRounds(scaled: Scaled, cost: (of: Costs) => number): string {
  return `${number(cost(scaled), 3)} (${scaled.rounds.map((round) => number(cost(round), 3)).join(', ')})`;
}

const percent = (part: number) => `${number(part * 100)} %`;

export function scalingVerdict({ report, alerts }: ScalingOutcome): string {
  return `${ledgerLine(report)} Alerts expected ${alerts.expected}, missing ${alerts.missing.length}, unexpected ${alerts.unexpected.length}.\n${report.examples.join('\n')}`;
}
