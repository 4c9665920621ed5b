import type { Analysis } from '@tidewatch/contracts/investigations/analysis';
import type { CheckedAnswer } from './check-answer.ts';
import type { KeptClaim } from './check-claim.ts';

/** The texts of an analysis. */
export type Words = Pick<Analysis, 'summary' | 'root_cause' | 'details_markdown'>;

/**
 * Composes the texts of an analysis from the kept claims of a model, each followed by its citations; null if there are
 * none. A text without kept claims stays that of the statistics.
 */
export function compose(checkedAnswer: CheckedAnswer, statistics: Words): Words | null {
  const { summary, rootCause, details } = checkedAnswer;
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
