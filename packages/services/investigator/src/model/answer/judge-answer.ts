import type { Evidence } from '@tidewatch/contracts/investigations/finding';
import { type Case, findingOf } from '../prompt/case.ts';
import type { Answer, Claim } from './answer.ts';
import { checkClaim, type DroppedClaim, isKept, type KeptClaim } from './check-claim.ts';

/** What is left of an answer. */
export interface Judged {
  readonly summary: readonly KeptClaim[];
  readonly rootCause: readonly KeptClaim[];
  readonly details: readonly KeptClaim[];
  readonly dropped: readonly DroppedClaim[];
  /** The finding that the model takes for the cause. The record keeps that of the statistics. */
  readonly namedFindingId: string | null;
}

const MOST = { summary: 3, rootCause: 3, details: 12 };

/**
 * Takes an answer apart into claims that may be kept and claims that are dropped. The cause stays that of the statistics:
 * a claim about it counts as such only where the statistics name one and it cites a piece of evidence of that finding.
 * Other claims about a cause are details.
 */
export function judgeAnswer(answer: Answer, of: Case, evidence: readonly Evidence[]): Judged {
  const known = new Map(evidence.map((each) => [each.id, each]));
  const dropped: DroppedClaim[] = [];
  const judged = (claims: readonly Claim[], most: number) =>
    claims.flatMap((claim, index) => {
      const result =
        index < most
          ? checkClaim(claim, of, known)
          : { text: claim.text, reason: 'there are too many of its sort' };
      if (isKept(result)) return [result];
      dropped.push(result);
      return [];
    });
  const summary = judged(answer.summary, MOST.summary);
  const causes = judged(answer.root_cause, MOST.rootCause);
  const details = judged(answer.details, MOST.details);
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
