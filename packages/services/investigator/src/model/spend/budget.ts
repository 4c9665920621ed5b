/** What calls of models took or may take: input and output in tokens, money in millionths of its currency. */
export interface Spend {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
}

/** Limits of one span of time, for all processes and organizations together. */
export interface Limits {
  readonly calls: number;
  /** Read and written. */
  readonly tokens: number;
  /** Null where money is not limited. */
  readonly costMicros: number | null;
}

export interface Budget {
  readonly hour: Limits;
  readonly day: Limits;
  /** 0 to 1: the part of each limit that is kept for critical alerts. */
  readonly reserve: number;
}

/** What a million tokens cost. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** Who takes part in the reserve, and who does not. */
export const SEVERITY_CLASSES = ['critical', 'other'] as const;
export type SeverityClass = (typeof SEVERITY_CLASSES)[number];

/** What was spent in one span of time, by class. */
export type SpentByClass = Readonly<Record<SeverityClass, Spend>>;

export const NOTHING_SPENT: Spend = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

export function severityClassOf(severity: string | null): SeverityClass {
  return severity === 'critical' ? 'critical' : 'other';
}

/** Price a million tokens is price a token in millionths. */
export function costOf(inputTokens: number, outputTokens: number, prices: Prices | null): number {
  return prices === null ? 0 : Math.ceil(inputTokens * prices.input + outputTokens * prices.output);
}

export function plus(one: Spend, other: Spend): Spend {
  return {
    calls: one.calls + other.calls,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    costMicros: one.costMicros + other.costMicros,
  };
}

export function minus(one: Spend, other: Spend): Spend {
  return {
    calls: one.calls - other.calls,
    inputTokens: one.inputTokens - other.inputTokens,
    outputTokens: one.outputTokens - other.outputTokens,
    costMicros: one.costMicros - other.costMicros,
  };
}

/** The part of each limit that one organization may take while others have investigations as well. */
const ORGANIZATION_PART = 0.5;

/** What was spent by all organizations, and by the one that asks: null while it is the only one. */
export type SpentByAll = Readonly<Record<'hour' | 'day', SpentByClass>> & {
  readonly own: Readonly<Record<'hour' | 'day', Spend>> | null;
};

/**
 * Why a call may not be made, in plain words; null where it may. All classes together stay within each limit, and what
 * is not critical stays within what the reserve leaves of it, so that a noisy day never uses up what a critical alert needs. Nor
 * does one organization use up what others need.
 */
export function whyRefused(
  wanted: Spend,
  severity: SeverityClass,
  spent: SpentByAll,
  budget: Budget,
): string | null {
  for (const span of ['hour', 'day'] as const) {
    const limit = budget[span];
    const all = plus(plus(spent[span].critical, spent[span].other), wanted);
    const own = plus(spent[span].other, wanted);
    const over = beyond(all, limit, 1);
    if (over !== null) return `the limit of ${over} for models is reached for ${SPANS[span]}`;
    const share = spent.own && beyond(plus(spent.own[span], wanted), limit, ORGANIZATION_PART);
    if (share !== null)
      return `the organization has used its share of the limit of ${share} for models for ${SPANS[span]}`;
    if (severity === 'critical') continue;
    const unreserved = beyond(own, limit, 1 - budget.reserve);
    if (unreserved !== null)
      return `what is left of the limit of ${unreserved} for models is kept for critical alerts, for ${SPANS[span]}`;
  }
  return null;
}

const SPANS = { hour: 'this hour', day: 'the last 24 hours' };

function beyond(sum: Spend, limit: Limits, part: number): string | null {
  if (sum.calls > limit.calls * part) return 'calls';
  if (sum.inputTokens + sum.outputTokens > limit.tokens * part) return 'tokens';
  if (limit.costMicros !== null && sum.costMicros > limit.costMicros * part) return 'cost';
  return null;
}
