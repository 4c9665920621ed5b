import { cleanText, shorten } from '@tidewatch/domain/prompt-text/clean-text';
import { isMoment } from '@tidewatch/domain/prompt-text/moment';
import { shownNumber } from '@tidewatch/domain/prompt-text/shown-evidence';

const MAX_NAME = 128;
const MAX_TEXT = 1_500;

/**
 * An answer of the API as it is shown to a model: every text that others chose is one visible line without secrets, names of
 * members too, and measured numbers have six significant digits. `realIds` are the ids of evidence and findings that texts may cite.
 */
export function shownAnswer(value: unknown, realIds: ReadonlySet<string>): unknown {
  // Names of metrics and members repeat, and cleaning a text takes long.
  const known = new Map<string, string>();

  function shownText(text: string, limit: number): string {
    const before = known.get(text);
    if (before !== undefined) return shorten(before, limit);
    const isOurs = isMoment(text) || realIds.has(text);
    const clean = isOurs ? text : cleanText(text, MAX_TEXT, realIds);
    known.set(text, clean);
    return shorten(clean, limit);
  }

  function shown(each: unknown): unknown {
    if (typeof each === 'string') return shownText(each, MAX_TEXT);
    if (typeof each === 'number') return Number.isInteger(each) ? each : shownNumber(each);
    if (Array.isArray(each)) return each.map(shown);
    if (typeof each !== 'object' || each === null) return each;
    return Object.fromEntries(
      Object.entries(each).map(([name, member]) => [shownText(name, MAX_NAME), shown(member)]),
    );
  }

  return shown(value);
}
