import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import { shorten, visibleText } from '@tidewatch/domain/prompt-text/clean-text';
import type { Case } from '../prompt/case.ts';
import { plainWords } from '../text/plain-words.ts';
import type { Claim } from './answer.ts';
import { unsupportedNumber } from './numbers.ts';

/** A claim that passed the check. */
export interface KeptClaim {
  readonly text: string;
  /** Ids of the evidence for the claim: at least one, all from this investigation. */
  readonly evidenceIds: readonly string[];
}

export interface DroppedClaim {
  readonly text: string;
  /** Why the claim was dropped, in words for people. */
  readonly reason: string;
}

const MAX_CLAIM_CHARACTERS = 600;
const MAX_CITED = 12;

const ID = /\b[a-z]{3}_[0-9a-f]{32}\b/gi;
const EVIDENCE_LIKE = /evd_\w*/gi;
const CITATION = /\s*[[(]\s*(?:evd_[0-9a-f]{32}\s*[,;]?\s*)+[\])]|\s*evd_[0-9a-f]{32}/g;

/**
 * Checks whether a claim is kept. It is dropped as a whole if it cites no evidence, if it contains an id that does not
 * exist, or if it states a number that the cited evidence does not contain.
 */
export function checkClaim(
  claim: Claim,
  of: Case,
  known: ReadonlyMap<string, Evidence>,
): KeptClaim | DroppedClaim {
  const text = visibleText(claim.text.slice(0, 8 * MAX_CLAIM_CHARACTERS));
  const drop = (reason: string): DroppedClaim => ({ text, reason });
  const inText = text.match(EVIDENCE_LIKE) ?? [];
  const cited = [...new Set([...claim.evidence_ids, ...inText])];
  if (cited.length === 0) return drop('it cites no evidence');
  if (cited.length > MAX_CITED) return drop(`it cites more than ${MAX_CITED} pieces of evidence`);
  const pieces = cited.flatMap((id) => known.get(id) ?? []);
  if (pieces.length < cited.length) return drop('it cites evidence that does not exist');
  const hasUnknownId = (text.match(ID) ?? []).some((id) => !known.has(id) && !isFinding(of, id));
  if (hasUnknownId) return drop('it contains an id that does not exist');
  const words = shorten(plainWords(text.replace(CITATION, '').replace(ID, '')), MAX_CLAIM_CHARACTERS);
  if (!/\p{L}/u.test(words)) return drop('it contains no words');
  const number = unsupportedNumber(words, of, pieces);
  if (number !== null) return drop(`it states ${number}, which its evidence does not contain`);
  return { text: words, evidenceIds: cited };
}

function isFinding(of: Case, id: string): boolean {
  return of.findings.some((finding) => finding.id === id);
}

export function isKept(claim: KeptClaim | DroppedClaim): claim is KeptClaim {
  return 'evidenceIds' in claim;
}
