import type { Rule, RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { Draft } from '../../../form/form-state.ts';

export const NEW_RULE: Draft = {
  name: '',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
  severity: 'warning',
  channels: ['default'],
};

/** The fields that a client may set, as a stored rule has them. */
export function draftOf(rule: Rule, names: readonly string[]): Draft {
  const fields = rule as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** A copy of a rule as a new one. */
export function copyOf(draft: Draft): Draft {
  return { ...draft, name: `${draft['name']} (copy)`.slice(0, 200), external_id: null };
}

/** The JSON merge patch that leads from one object to the other: lists are replaced, members that left are null. */
export function patchBetween(before: unknown, after: unknown): unknown {
  if (!isRecord(before) || !isRecord(after)) return after;
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(before)) if (after[name] === undefined) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined || isSame(before[name], value)) continue;
    patch[name] = patchBetween(before[name], value);
  }
  return patch;
}

export interface Difference {
  field: string;
  mine: unknown;
  theirs: unknown;
}

/** The fields in which two versions of a rule differ. */
export function differences(mine: Draft, theirs: Draft): Difference[] {
  return [...new Set([...Object.keys(mine), ...Object.keys(theirs)])]
    .filter((field) => !isSame(mine[field] ?? null, theirs[field] ?? null))
    .map((field) => ({ field, mine: mine[field] ?? null, theirs: theirs[field] ?? null }));
}

export function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((each, index) => isSame(each, b[index]));
  if (!isRecord(a) || !isRecord(b)) return Object.is(a, b);
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.every((name) => isSame(a[name], b[name]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Thresholds to compare in the curve: between the median and the extreme of the metric, or its whole range where most values are at
 * the extreme, with that of the rule.
 */
export function candidateThresholds(
  { condition, threshold }: Pick<RuleDefinition, 'condition' | 'threshold'>,
  range: { low: number; median: number; high: number },
  count = 20,
): number[] {
  const isBelow = condition.startsWith('less_than');
  const { low, median, high } = range;
  const [from, to] = isBelow ? [low, median > low ? median : high] : [median < high ? median : low, high];
  const own = threshold === null ? [] : [threshold];
  if (!(to > from)) return own;
  const steps = Array.from({ length: count - own.length }, (_, place) =>
    Number((from + ((to - from) * place) / (count - own.length - 1)).toPrecision(3)),
  );
  return [...new Set([...steps, ...own])].sort((a, b) => a - b);
}

/** Durations to compare: the rule's own, half of it and twice as long. */
export function candidateDurations(own: number): number[] {
  const all = own === 0 ? [0, 5, 10] : [Math.floor(own / 2), own, own * 2];
  return [...new Set(all)].filter((minutes) => minutes <= 1_440);
}
