import type { Condition } from '@tidewatch/contracts/rule';
import { unitOf } from '@tidewatch/contracts/unit';

/** What the sentence says; `subject` is null where the host itself breaches. */
export interface SummaryFacts {
  host: string;
  subject?: { kind: string; name: string } | null;
  metric: string;
  value: number;
  condition: Condition;
  threshold: number;
  thresholdMax: number | null;
  /** For how long it has to hold, in ms. */
  durationMs: number;
}

/** One sentence about a breach, host first: "web-01: cpu_percent is 97.5 %, above 90 % for 5 minutes." */
export function summarize(facts: SummaryFacts): string {
  const quantity = (value: number) => `${rounded(value)}${unitOf(facts.metric) === 'percent' ? ' %' : ''}`;
  const where =
    facts.subject && facts.subject.kind !== 'host'
      ? `${facts.host}, ${facts.subject.kind} ${facts.subject.name}`
      : facts.host;
  const limits = inWords(
    facts.condition,
    quantity(facts.threshold),
    quantity(facts.thresholdMax ?? facts.threshold),
  );
  return `${where}: ${facts.metric} is ${quantity(facts.value)}, ${limits}${lasting(facts.durationMs)}.`;
}

/** A condition and its limits as they stand behind "is": "above 90 %". */
export function inWords(condition: Condition, threshold: string, most: string): string {
  switch (condition) {
    case 'greater_than':
      return `above ${threshold}`;
    case 'greater_than_or_equal':
      return `at or above ${threshold}`;
    case 'less_than':
      return `below ${threshold}`;
    case 'less_than_or_equal':
      return `at or below ${threshold}`;
    case 'equal':
      return `equal to ${threshold}`;
    case 'not_equal':
      return `other than ${threshold}`;
    case 'between':
      return `between ${threshold} and ${most}`;
    case 'not_between':
      return `not between ${threshold} and ${most}`;
  }
}

function lasting(durationMs: number): string {
  const minutes = durationMs / 60_000;
  if (minutes === 0) return '';
  return minutes === 1 ? ' for 1 minute' : ` for ${minutes} minutes`;
}

/** Six significant digits are plenty for reading; whole numbers stay whole. */
export function rounded(value: number): string {
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(6)));
}
