/** The spend of model calls: tokens, and cost in millionths of the currency. */
export interface Spend {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costMicros: number;
}

/** The limits of one period, for all processes and organizations together. */
export interface Limits {
  readonly calls: number;
  /** The max number of tokens, read and written together. */
  readonly tokens: number;
  /** The max cost in millionths of a currency unit; null if the cost is not limited. */
  readonly costMicros: number | null;
}

export interface Budget {
  readonly hour: Limits;
  readonly day: Limits;
  /** The fraction of each limit that is reserved for critical alerts, 0 to 1. */
  readonly reserve: number;
}

/** Prices per million tokens. */
export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** The classes of spend: `critical` may use the reserve, `other` may not. */
export const SEVERITY_CLASSES = ['critical', 'other'] as const;
export type SeverityClass = (typeof SEVERITY_CLASSES)[number];

/** The spend of one period, by class. */
export type SpentByClass = Readonly<Record<SeverityClass, Spend>>;

export const NOTHING_SPENT: Spend = { calls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

export function severityClassOf(severity: string | null): SeverityClass {
  return severity === 'critical' ? 'critical' : 'other';
}

/** Cost in millionths of the currency: the price of a million tokens is the price of one token in millionths. */
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

/** The fraction of each limit that one organization may use while others also have investigations. */
const MAX_ORGANIZATION_SHARE = 0.5;

/** The spend of all organizations, and that of the calling one; `own` is null if it is the only one with investigations. */
export type SpentByAll = Readonly<Record<'hour' | 'day', SpentByClass>> & {
  readonly own: Readonly<Record<'hour' | 'day', Spend>> | null;
};

/**
 * Why a call is refused, in words for people; null if it is allowed. All spend stays within each limit, calls that are not
 * critical leave the reserve, and one organization leaves room for others.
 */
export function refusalReason(
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
    const share = spent.own && beyond(plus(spent.own[span], wanted), limit, MAX_ORGANIZATION_SHARE);
    if (share !== null)
      return `the organization has used its share of the limit of ${share} for models for ${SPANS[span]}`;
    if (severity === 'critical') continue;
    const unreserved = beyond(own, limit, 1 - budget.reserve);
    if (unreserved !== null)
      return `the rest of the limit of ${unreserved} for models is reserved for critical alerts, for ${SPANS[span]}`;
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
