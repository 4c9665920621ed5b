import type { Analysis } from '@tidewatch/contracts/investigations/analysis';
import type { KeptClaim } from './check-claim.ts';
import type { Judged } from './judge-answer.ts';

/** The words of an analysis. */
export type Words = Pick<Analysis, 'summary' | 'root_cause' | 'details_markdown'>;

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
    root_cause: paragraph(rootCause) ?? statistics.root_cause,
    details_markdown: [list, statistics.details_markdown].filter((part) => part !== '').join('\n\n'),
  };
}

function paragraph(claims: readonly KeptClaim[]): string | null {
  return claims.length === 0 ? null : claims.map(sentence).join(' ');
}

function sentence({ text, evidenceIds }: KeptClaim): string {
  return `${text} ${evidenceIds.map((id) => `[${id}]`).join(' ')}`;
}
