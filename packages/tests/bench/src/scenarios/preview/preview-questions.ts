import { DAY_MS } from '@tidewatch/contracts/time/duration';

/** A preview whose time is measured: its name in tables, and the body of its request. */
export interface Question {
  name: string;
  body: object;
}

const RULE = {
  name: 'preview',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
};
const FEW = { thresholds: [88, 90, 94], durations: [1, 5, 10] };
const MANY = {
  thresholds: Array.from({ length: 20 }, (_, index) => 80 + index),
  durations: [0, 1, 2, 3, 5, 8, 10, 15, 20, 30],
};

/** The threshold of the rule. */
export const THRESHOLD = RULE.threshold;

/** Previews of the days for which minutes are kept, and of those for which samples are kept; times in ms. */
export function questionsOf({
  from,
  to,
  rawDays,
}: {
  from: number;
  to: number;
  rawDays: number;
}): Question[] {
  const minutes = { rule: RULE, ...rangeOf(from, to) };
  const samples = { rule: RULE, ...rangeOf(to - rawDays * DAY_MS, to) };
  return [
    { name: 'the rule alone', body: minutes },
    { name: 'with a curve of 3 thresholds and 3 durations', body: { ...minutes, ...FEW } },
    { name: 'with a curve of 20 thresholds and 10 durations', body: { ...minutes, ...MANY } },
    { name: `samples of ${rawDays} days`, body: samples },
    { name: `samples of ${rawDays} days, 3 thresholds and 3 durations`, body: { ...samples, ...FEW } },
  ];
}

/** A preview of a rule that every hour might breach, over the whole range, which is too large. */
export function tooMuchOf({ from, to }: { from: number; to: number }): Question {
  const rule = { ...RULE, threshold: 20 };
  return { name: 'every hour could breach', body: { rule, ...rangeOf(from, to) } };
}

export function rangeOf(from: number, to: number): { from: string; to: string } {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}
