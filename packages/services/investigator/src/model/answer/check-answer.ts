import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import { type Case, findingOf } from '../prompt/case.ts';
import type { Answer, Claim } from './answer.ts';
import { checkClaim, type DroppedClaim, isKept, type KeptClaim } from './check-claim.ts';

/** The kept and dropped claims of an answer. */
export interface CheckedAnswer {
  readonly summary: readonly KeptClaim[];
  readonly rootCause: readonly KeptClaim[];
  readonly details: readonly KeptClaim[];
  readonly dropped: readonly DroppedClaim[];
  /** The finding that the model names as the cause, which is not stored: the record keeps the cause of the statistics. */
  readonly namedFindingId: string | null;
}

const MAX_CLAIMS = { summary: 3, rootCause: 3, details: 12 };

/**
 * Divides an answer into kept and dropped claims. The cause stays that of the statistics: a claim about the cause becomes a
 * detail unless it cites evidence of the finding that the statistics name.
 */
export function checkAnswer(answer: Answer, of: Case, evidence: readonly Evidence[]): CheckedAnswer {
  const known = new Map(evidence.map((each) => [each.id, each]));
  const dropped: DroppedClaim[] = [];
  const check = (claims: readonly Claim[], max: number) =>
    claims.flatMap((claim, index) => {
      const result =
        index < max
          ? checkClaim(claim, of, known)
          : { text: claim.text, reason: 'the answer has too many claims of this kind' };
      if (isKept(result)) return [result];
      dropped.push(result);
      return [];
    });
  const summary = check(answer.summary, MAX_CLAIMS.summary);
  const causes = check(answer.root_cause, MAX_CLAIMS.rootCause);
  const details = check(answer.details, MAX_CLAIMS.details);
  const shown = new Set(findingOf(of, of.rootCauseFindingId)?.evidence_ids ?? []);
  const isOfCause = (claim: KeptClaim) => claim.evidenceIds.some((id) => shown.has(id));
  return {
    summary,
    rootCause: causes.filter(isOfCause),
    details: [...causes.filter((claim) => !isOfCause(claim)), ...details],
    dropped,
    namedFindingId: findingOf(of, answer.most_likely_finding_id)?.id ?? null,
  };
}
