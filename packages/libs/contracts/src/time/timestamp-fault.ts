import { parseTimestamp, toIso } from './time.ts';

const GENERAL = 'Must be an RFC 3339 date and time, such as 2026-11-21T14:36:28Z.';

/**
 * The message about a text that `parseTimestamp` refuses, with the correct form; specific for offsets without a colon, a
 * `+` that a query turned into a space, leap seconds, dates alone and numbers of seconds.
 */
export function timestampFault(text: string): string {
  if (text.length > 64) return GENERAL;
  for (const { pattern, replacement, message } of MISTAKES) {
    const right = text.replace(pattern, replacement);
    if (right !== text && parseTimestamp(right) !== undefined) return `${message} Write ${right}.`;
  }
  if (/\d ?\d\d:?\d\d$/.test(text) && parseTimestamp(plusFor(text)) !== undefined)
    return `A + in a query is decoded as a space. Write ${plusFor(text).replace('+', '%2B')}.`;
  if (/^\d{9,13}$/.test(text)) {
    const ms = text.length > 11 ? Number(text) : Number(text) * 1_000;
    return `Must be an RFC 3339 date and time and not a number. Write ${toIso(ms)}.`;
  }
  return GENERAL;
}

const MISTAKES = [
  {
    pattern: /([+-]\d\d)(\d\d)$/,
    replacement: '$1:$2',
    message: 'The offset needs a colon.',
  },
  {
    pattern: /(:\d\d(?:\.\d+)?[+-]\d\d)$/,
    replacement: '$1:00',
    message: 'The offset needs hours and minutes.',
  },
  {
    pattern: /:60(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/i,
    replacement: ':59$1',
    message: 'Leap seconds are not supported: seconds are 00 to 59.',
  },
  {
    pattern: /^(\d{4}-\d\d-\d\d)$/,
    replacement: '$1T00:00:00Z',
    message: 'A date needs a time.',
  },
] as const;

function plusFor(text: string): string {
  return text.replace(/ (\d\d):?(\d\d)$/, '+$1:$2');
}
