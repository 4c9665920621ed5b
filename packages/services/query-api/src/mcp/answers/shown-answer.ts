import { cleanText } from '@tidewatch/domain/prompt-text/clean-text';
import { isMoment } from '@tidewatch/domain/prompt-text/moment';
import { shownNumber } from '@tidewatch/domain/prompt-text/shown-evidence';

const MAX_NAME = 128;
const MAX_TEXT = 1_500;

/**
 * An answer of the API as it is shown to a model: every text that others chose is one visible line without secrets, names of
 * members too, and numbers have six significant digits. `realIds` are the ids of evidence and findings that texts may cite.
 */
export function shownAnswer(value: unknown, realIds: ReadonlySet<string>): unknown {
  if (typeof value === 'string')
    return isMoment(value) || realIds.has(value) ? value : cleanText(value, MAX_TEXT, realIds);
  if (typeof value === 'number') return Number.isInteger(value) ? value : shownNumber(value);
  if (Array.isArray(value)) return value.map((each) => shownAnswer(each, realIds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [cleanText(name, MAX_NAME), shownAnswer(member, realIds)]),
  );
}
