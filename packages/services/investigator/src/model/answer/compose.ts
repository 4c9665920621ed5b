import type { KeptClaim } from './check-claim.ts';
import type { Judged } from './judge-answer.ts';

/** The words of an analysis. `rootCause` is null where nothing is known. */
export interface Words {
  readonly summary: string;
  readonly rootCause: string | null;
  readonly detailsMarkdown: string;
}

/**
 * The words of the statistics with those of a model in place of them, wherever a claim was kept; null where none was. Each
 * sentence is a kept claim with what it cites behind it, so nothing else that a model wrote gets through. What the
 * statistics say in detail stays below.
 */
export function compose(judged: Judged, statistics: Words): Words | null {
  const { summary, rootCause, details } = judged;
  if (summary.length + rootCause.length + details.length === 0) return null;
  const list = details.map((claim) => `- ${sentence(claim)}`).join('\n');
  return {
    summary: paragraph(summary) ?? statistics.summary,
    rootCause: paragraph(rootCause) ?? statistics.rootCause,
    detailsMarkdown: [list, statistics.detailsMarkdown].filter((part) => part !== '').join('\n\n'),
  };
}

function paragraph(claims: readonly KeptClaim[]): string | null {
  return claims.length === 0 ? null : claims.map(sentence).join(' ');
}

function sentence({ text, evidenceIds }: KeptClaim): string {
  return `${text} ${evidenceIds.map((id) => `[${id}]`).join(' ')}`;
}
