import type { Omission } from '../../series/point-sink.ts';
import { labelOf, type SentSeries } from '../../series/sent-series.ts';
import type { Mode } from '../metric-place.ts';
import { SUBJECT_FAMILIES } from './families/subject-families.ts';
import type { SubjectFamily, SubjectIdentity } from './subject-family.ts';

/** Where the values of a series of a container or process go. */
export interface SubjectPlace extends SubjectIdentity {
  family: SubjectFamily;
  /** The number of a container or process that the series gives, or adds to. */
  field: string;
  /** Of several that give one number, the lowest counts. */
  rank: number;
  /** What its values are multiplied by. */
  scale: number;
  mode: Mode;
  /** Which of several series that add to the number it is: its name, and such as its interface. */
  contributor: string;
}

/** Where a series of a container or process goes, or why it is left out; undefined for all other series. */
export function subjectPlaceOf(series: SentSeries): SubjectPlace | Omission | undefined {
  const family = SUBJECT_FAMILIES.find((each) => each.matches(series));
  if (family === undefined) return undefined;
  const given = family.fields[series.name];
  const identity = given === undefined ? undefined : family.identify(series);
  if (given === undefined || identity === undefined) return family.kind;
  const { field, rank = 0, scale = 1, isCounter = false, over = [], choose } = given;
  const choice = choose?.(series) ?? { field, rank };
  if (choice === 'omit') return family.kind;
  const contributor = [series.name, ...over.map((label) => labelOf(series.labels, label) ?? '')].join('\0');
  const mode = series.type === 'unknown' ? (isCounter ? 'counter' : 'gauge') : series.type;
  return { ...identity, family, scale, mode, contributor, ...choice };
}
