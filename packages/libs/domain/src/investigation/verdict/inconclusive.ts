import type { InconclusiveReason } from '@tidewatch/contracts/investigations/analysis';
import type { Facts } from '../facts.ts';
import { isLittleKnown, tooLittleHistory } from '../symptom/too-little-history.ts';
import { isKnownTooBriefly } from './possible-cause.ts';
import type { RankedFinding } from './verdict.ts';

/** A finding that has more than this share of the probability of the first one is about as probable. */
const ALIKE = 0.5;
/** The probability of "none of these" from which the cause counts as not seen. */
const NOT_SEEN = 0.5;

/**
 * Why no cause is named: there is too little history to say what is usual, the metric stayed as usual, several causes are
 * about as probable, or what is known does not explain it.
 * @param none the probability that none of the candidates is the cause
 * @param happened whether anything moved and the symptom left its usual range, or data are missing
 */
export function inconclusiveReason(
  facts: Facts,
  findings: readonly RankedFinding[],
  none: number,
  happened: boolean,
): InconclusiveReason {
  if (tooLittleHistory(facts) !== null) return 'too_little_history';
  const [first] = findings;
  if (
    first !== undefined &&
    first.score >= NOT_SEEN &&
    isLittleKnown(facts) &&
    isKnownTooBriefly(facts, first)
  )
    return 'too_little_history';
  if (!happened) return isLittleKnown(facts) ? 'too_little_history' : 'nothing_unusual';
  return none < NOT_SEEN && aboutAsProbable(findings).length > 1 ? 'several_alike' : 'cause_not_seen';
}

/** The findings that may be named as the cause and are about as probable as the most probable of them, which is the first. */
export function aboutAsProbable(findings: readonly RankedFinding[]): readonly RankedFinding[] {
  const causes = findings.filter(({ possibleCause }) => possibleCause);
  const most = causes[0]?.score ?? 0;
  return causes.filter(({ score }) => score > ALIKE * most);
}
