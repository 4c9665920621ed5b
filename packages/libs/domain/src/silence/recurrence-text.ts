/** The max `COUNT` of a recurrence rule. */
const MAX_COUNTED = 500;
const MAX_INTERVAL = 1_000;
/** The max number of windows per day that `BYHOUR` and `BYMINUTE` may define. */
const MAX_TIMES_OF_A_DAY = 24;

const list = (entry: string) => new RegExp(`^${entry}(?:,${entry})*$`);
const signed = (number: string) => list(`[+-]?(?:${number})`);

/** The parts of a recurrence rule (RFC 5545, section 3.3.10) that a silence may use, and the syntax of each. */
const PARTS: Record<string, RegExp> = {
  FREQ: /^(?:HOURLY|DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^[1-9]\d{0,3}$/,
  COUNT: /^[1-9]\d{0,3}$/,
  UNTIL: /^\d{8}(?:T\d{6}Z)?$/,
  BYMONTH: list('(?:[1-9]|1[0-2])'),
  BYMONTHDAY: signed('[1-9]|[12]\\d|3[01]'),
  BYYEARDAY: signed('[1-9]\\d?|[12]\\d\\d|3[0-5]\\d|36[0-6]'),
  BYWEEKNO: signed('[1-9]|[1-4]\\d|5[0-3]'),
  BYDAY: list('(?:[+-]?(?:[1-9]|[1-4]\\d|5[0-3]))?(?:MO|TU|WE|TH|FR|SA|SU)'),
  BYHOUR: list('(?:1?\\d|2[0-3])'),
  BYMINUTE: list('[1-5]?\\d'),
  BYSETPOS: signed('[1-9]\\d?'),
  WKST: /^(?:MO|TU|WE|TH|FR|SA|SU)$/,
};
/** Parts that an hourly recurrence rule may not have, because finding its next window would take hour by hour. */
const NOT_HOURLY = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYSETPOS'];

/** Why the text is not a valid recurrence rule of a silence; null if it is valid. */
export function recurrenceFault(text: string): { code: string; message: string } | null {
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(';')) {
    const [name = '', value, ...more] = part.split('=');
    if (value === undefined || more.length > 0)
      return invalid('Must be parts like FREQ=WEEKLY, divided by ";".');
    if (!Object.hasOwn(PARTS, name)) return unsupported(`Does not take the part ${shortened(name)}.`);
    if (parts.has(name)) return invalid(`Must have ${name} once.`);
    if (!PARTS[name]?.test(value)) return invalid(`${name} cannot be ${shortened(value)}.`);
    parts.set(name, value);
  }
  const frequency = parts.get('FREQ');
  if (frequency === undefined) return invalid('Must have FREQ.');
  if (parts.has('COUNT') && parts.has('UNTIL')) return invalid('Must not have both COUNT and UNTIL.');
  if (Number(parts.get('COUNT') ?? 0) > MAX_COUNTED) return tooLarge('COUNT', MAX_COUNTED);
  if (Number(parts.get('INTERVAL') ?? 0) > MAX_INTERVAL) return tooLarge('INTERVAL', MAX_INTERVAL);
  const times = entries(parts.get('BYHOUR')) * entries(parts.get('BYMINUTE'));
  if (times > MAX_TIMES_OF_A_DAY) return tooLarge('BYHOUR times BYMINUTE', MAX_TIMES_OF_A_DAY);
  if (/\d/.test(parts.get('BYDAY') ?? '') && frequency !== 'MONTHLY' && frequency !== 'YEARLY')
    return invalid('Days can be numbered only with FREQ=MONTHLY and FREQ=YEARLY.');
  const narrowing = frequency === 'HOURLY' ? NOT_HOURLY.find((name) => parts.has(name)) : undefined;
  return narrowing === undefined ? null : unsupported(`Does not take ${narrowing} with FREQ=HOURLY.`);
}

/** The `COUNT` of a recurrence rule; null if it has none. */
export function countOf(rule: string): number | null {
  const match = /(?:^|;)COUNT=(\d+)/i.exec(rule);
  return match === null ? null : Number(match[1]);
}

/** The recurrence rule without its `COUNT`. */
export function withoutCount(rule: string): string {
  const parts = rule.split(';').filter((part) => !/^COUNT=/i.test(part));
  return parts.join(';');
}

function entries(text: string | undefined): number {
  return text === undefined ? 1 : text.split(',').length;
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function invalid(message: string) {
  return { code: 'invalid_format', message };
}

function unsupported(message: string) {
  return { code: 'unsupported', message };
}

function tooLarge(what: string, most: number) {
  return { code: 'too_large', message: `${what} must be at most ${most}.` };
}
