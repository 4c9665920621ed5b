import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import type { Case } from '../prompt/case.ts';
import { shorten, visibleText } from '../text/clean-text.ts';
import { plainWords } from '../text/plain-words.ts';
import type { Claim } from './answer.ts';
import { foreignNumber } from './numbers.ts';

/** What may be said: words, and evidence of this investigation that they rest on. */
export interface KeptClaim {
  readonly text: string;
  /** At least one, each of them minted here. */
  readonly evidenceIds: readonly string[];
}

export interface DroppedClaim {
  readonly text: string;
  /** In plain words. */
  readonly reason: string;
}

const MAX_CLAIM = 600;
const CITED = 12;

const ID = /\b[a-z]{3}_[0-9a-f]{32}\b/gi;
const LIKE_EVIDENCE = /evd_\w*/gi;
const CITATION = /\s*[[(]\s*(?:evd_[0-9a-f]{32}\s*[,;]?\s*)+[\])]|\s*evd_[0-9a-f]{32}/g;

/**
 * Whether a claim may be kept. It goes whole if it cites nothing, if it names anything that is spelled like an id and was
 * not minted here, or if it says a number that what it cites does not have.
 */
export function checkClaim(
  claim: Claim,
  of: Case,
  known: ReadonlyMap<string, Evidence>,
): KeptClaim | DroppedClaim {
  const text = visibleText(claim.text.slice(0, 8 * MAX_CLAIM));
  const drop = (reason: string): DroppedClaim => ({ text, reason });
  const inText = text.match(LIKE_EVIDENCE) ?? [];
  const cited = [...new Set([...claim.evidence_ids, ...inText])];
  if (cited.length === 0) return drop('it cites no evidence');
  if (cited.length > CITED) return drop('it cites everything');
  const pieces = cited.flatMap((id) => known.get(id) ?? []);
  if (pieces.length < cited.length) return drop('it cites evidence that does not exist');
  const strange = (text.match(ID) ?? []).some((id) => !known.has(id) && !isFinding(of, id));
  if (strange) return drop('it names an id that does not exist');
  const words = shorten(plainWords(text.replace(CITATION, '').replace(ID, '')), MAX_CLAIM);
  if (!/\p{L}/u.test(words)) return drop('it says nothing');
  const number = foreignNumber(words, of, pieces);
  if (number !== null) return drop(`it says ${number}, which its evidence does not have`);
  return { text: words, evidenceIds: cited };
}

function isFinding(of: Case, id: string): boolean {
  return of.findings.some((finding) => finding.id === id);
}

export function isKept(claim: KeptClaim | DroppedClaim): claim is KeptClaim {
  return 'evidenceIds' in claim;
}
