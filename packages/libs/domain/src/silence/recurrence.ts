import { RRuleTemporal } from 'rrule-temporal';
import { countOf, recurrenceFault, withoutCount } from './recurrence-text.ts';

/**
 * Limits the search for one window to some milliseconds; a rule that needs more is refused when its silence is created. A
 * daily rule that applies in one month only, or a yearly one for 29 February, stays within the limit.
 */
const MAX_PERIODS = 400;
const MAX_CANDIDATES = 1_000;
/** The limit for rules with a count, whose windows are counted once when the silence is created. */
const MAX_COUNTED_PERIODS = 2_000;
/** The last time that an ISO text in a response can have. */
const LAST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * When the windows of a silence begin. `last` is the last beginning, Infinity if there is none. Times are ms since the
 * epoch.
 */
export interface RecurrenceTerms {
  rule: string;
  /** The beginning of the first window, even if the rule does not match this time. */
  from: number;
  timezone: string;
  last: number;
}

/** Computes the beginnings of a recurring silence's windows, by the wall clock of its time zone. */
export class Recurrence {
  readonly #rule: RRuleTemporal;
  readonly #last: number;

  constructor(terms: RecurrenceTerms) {
    // Replaces a count by the equivalent end, since counting would start from the first window for every query.
    const text = terms.last === Number.POSITIVE_INFINITY ? terms.rule : withoutCount(terms.rule);
    this.#rule = open(text, terms.from, terms.timezone);
    this.#last = terms.last;
  }

  /** The newest beginning at or before `at`; null where there is none. */
  latest(at: number): number | null {
    return occurrence(() => this.#rule.previous(new Date(Math.min(at, this.#last)), true));
  }

  /** The first beginning after `at`; null where there is none. */
  next(at: number): number | null {
    const next = occurrence(() => this.#rule.next(new Date(at), false));
    return next !== null && next <= this.#last ? next : null;
  }
}

/** Validates a recurrence rule and returns its last beginning (Infinity if it has no end), or why it is refused. */
export function readRecurrence(
  rule: string,
  from: number,
  timezone: string,
): { last: number } | { code: string; message: string } {
  const fault = recurrenceFault(rule);
  if (fault !== null) return fault;
  try {
    const opened = open(rule, from, timezone);
    if (countOf(rule) !== null) {
      const last = open(rule, from, timezone, MAX_COUNTED_PERIODS).all().at(-1)?.epochMilliseconds ?? from;
      return last <= LAST_TIME ? { last } : TOO_FAR;
    }
    if (/\bUNTIL=/i.test(rule)) {
      const last = opened.previous(new Date(LAST_TIME), true)?.epochMilliseconds ?? from;
      return { last: Math.max(from, last) };
    }
    // Searches the second window, because only that shows whether the rule recurs.
    const second = opened.next(new Date(from), false);
    if (second !== null) {
      const third = opened.next(new Date(second.epochMilliseconds), false);
      // Searches backwards too, as `latest` will.
      if (third !== null) opened.previous(new Date(third.epochMilliseconds - 1), true);
    }
    return { last: Number.POSITIVE_INFINITY };
  } catch (error) {
    const isSearch = error instanceof Error && error.message.startsWith('Maximum ');
    return isSearch
      ? TOO_RARE
      : { code: 'invalid_format', message: 'Must be a recurrence rule of RFC 5545.' };
  }
}

const TOO_FAR = { code: 'out_of_range', message: 'Must end before the year 10000.' };
const TOO_RARE = { code: 'too_complex', message: 'Recurs never, too rarely, or in too many ways.' };

function open(rule: string, from: number, timezone: string, maxPeriods: number = MAX_PERIODS): RRuleTemporal {
  const dtstart = { timeZoneId: timezone, toString: () => `${new Date(from).toISOString()}[${timezone}]` };
  return new RRuleTemporal({
    rruleString: rule,
    dtstart,
    includeDtstart: true,
    maxIterations: maxPeriods,
    maxCandidateEvaluations: MAX_CANDIDATES,
  }) as RRuleTemporal;
}

/** Returns null if the search reaches its limit: no window is better than an unexpected silence. */
function occurrence(search: () => { epochMilliseconds: number } | null): number | null {
  try {
    const time = search()?.epochMilliseconds ?? null;
    return time !== null && time <= LAST_TIME ? time : null;
  } catch {
    return null;
  }
}
