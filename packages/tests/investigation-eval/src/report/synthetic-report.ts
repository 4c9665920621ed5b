import { HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { aloneFigures, brier, calibrationError, figuresOf, reliability } from '../score/figures.ts';
import type { Outcome } from '../score/outcome.ts';
import { share, table } from './table.ts';

const HEADS = ['incidents', 'top-1', 'top-3', 'MRR', 'cause named', 'named wrongly'];

/** The tables of a run on synthetic incidents, as Markdown. */
export function syntheticReport(outcomes: readonly Outcome[]): string {
  return [
    `### Each kind\n\n${grouped('kind', outcomes.filter(isQuiet), ({ kind }) => kind)}`,
    `### Each kind, in an unquiet fleet\n\n${grouped('kind', outcomes.filter(isUnquiet), ({ kind }) => kind)}`,
    `### Each length of history, in an unquiet fleet\n\n${grouped('history', byHistory(outcomes.filter(isUnquiet)), history)}`,
    `### Each kind, in a window that begins in trouble\n\n${grouped('kind', outcomes.filter(isAmidTrouble), ({ kind }) => kind)}`,
    `### Each kind, on hosts whose first sample is in trouble\n\n${newHosts(outcomes.filter(isNewHost))}`,
    `### Each sort, delay and interval\n\n${grouped(
      'sort, asked, interval',
      outcomes.filter((outcome) => isQuiet(outcome) && outcome.sort !== 'none'),
      where,
    )}`,
    `### Each level of noise\n\n${grouped('noise', outcomes.filter(isQuiet), ({ setting }) => String(setting.noise))}`,
    `### Each detector alone\n\n${aloneTable(outcomes.filter(isQuiet))}`,
    `### Calibration of the first finding's score\n\n${reliabilityTable(outcomes.filter(isOfAlert))}`,
    `CPU time of all detectors and the ranking: ${meanTime(outcomes.filter(isOfAlert)).toFixed(1)} ms for an investigation.`,
  ].join('\n\n');
}

const byHistory = (outcomes: readonly Outcome[]) => outcomes.toSorted((a, b) => a.historyMs - b.historyMs);

function history({ historyMs }: Outcome): string {
  return historyMs < HOUR_MS
    ? `${Math.round(historyMs / MINUTE_MS)} min`
    : `${Math.round(historyMs / HOUR_MS)} h`;
}

export const isUnquiet = ({ setting }: Outcome) => setting.unquiet === true;
export const isAmidTrouble = ({ setting }: Outcome) => setting.view === 'amid the trouble';
export const isNewHost = ({ setting }: Outcome) => setting.view === 'new host';
/** Whether the window is that of the alert, in either fleet. */
export const isOfAlert = (outcome: Outcome) => !isAmidTrouble(outcome) && !isNewHost(outcome);
export const isQuiet = (outcome: Outcome) => isOfAlert(outcome) && !isUnquiet(outcome);

/** Without history there is no cause to name: how often one was named all the same, and the reason that was given. */
function newHosts(outcomes: readonly Outcome[]): string {
  const counts = (group: readonly Outcome[]) => {
    const { incidents, found, wrong } = figuresOf(group);
    const little = group.filter(({ reason }) => reason === 'too_little_history').length / group.length;
    return [String(incidents), share(little), share(found), share(wrong)];
  };
  const rows = [...Map.groupBy(outcomes, ({ kind }) => kind)].map(([kind, group]) => [
    kind,
    ...counts(group),
  ]);
  const heads = ['kind', 'incidents', '"too little history"', 'cause named', 'named wrongly'];
  return table(heads, [...rows, ['all', ...counts(outcomes)]]);
}

function where({ sort, setting }: Outcome): string {
  const asked = setting.delayMs === 0 ? 'at once' : `${setting.delayMs / 1_000} s late`;
  return `${sort}, ${asked}, ${setting.intervalMs / 1_000} s`;
}

function grouped(head: string, outcomes: readonly Outcome[], by: (outcome: Outcome) => string): string {
  const rows = [...Map.groupBy(outcomes, by)].map(([name, group]) => [name, ...cells(group)]);
  return table([head, ...HEADS], [...rows, ['all', ...cells(outcomes)]]);
}

function cells(outcomes: readonly Outcome[]): string[] {
  const { incidents, top1, top3, mrr, found, wrong } = figuresOf(outcomes);
  return [String(incidents), share(top1), share(top3), share(mrr), share(found), share(wrong)];
}

function aloneTable(outcomes: readonly Outcome[]): string {
  const sorts = ['exhaustion', 'propagation'] as const;
  const figures = sorts.map((sort) => aloneFigures(outcomes.filter((outcome) => outcome.sort === sort)));
  const names = figures[0]?.map(({ detector }) => detector) ?? [];
  const rows = names.map((name, nth) => [
    name,
    ...figures.flatMap((each) => [
      share(each[nth]?.top1 ?? Number.NaN),
      share(each[nth]?.top3 ?? Number.NaN),
    ]),
  ]);
  const whole = sorts.flatMap((sort) => {
    const { top1, top3 } = figuresOf(outcomes.filter((outcome) => outcome.sort === sort));
    return [share(top1), share(top3)];
  });
  const heads = ['detector', ...sorts.flatMap((sort) => [`${sort}, top-1`, 'top-3'])];
  return table(heads, [...rows, ['the ranking of all', ...whole]]);
}

function reliabilityTable(outcomes: readonly Outcome[]): string {
  const bins = reliability(outcomes);
  const rows = bins
    .filter(({ count }) => count > 0)
    .map(({ from, to, count, said, was }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      String(count),
      share(said),
      share(was),
    ]);
  const errors = `Expected calibration error ${calibrationError(bins).toFixed(3)}, Brier score ${brier(outcomes).toFixed(3)}.`;
  return `${table(['score', 'first findings', 'mean score', 'were the cause'], rows)}\n\n${errors}`;
}

function meanTime(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / outcomes.length;
}
