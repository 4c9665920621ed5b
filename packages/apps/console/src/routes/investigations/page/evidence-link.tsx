import type { ReactNode } from 'react';
import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { PageLink } from '../../page-link.tsx';
import { usePageSearch } from '../../page-state.ts';
import { sourceIn, useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

export interface EvidenceLinkProps {
  evidenceId: string | undefined;
  /** True for a number, which stays on one line with its unit. */
  isNumber?: boolean;
  children: ReactNode;
}

/** A link to a piece of evidence; the content alone where the investigation does not have it. */
export function EvidenceLink({ evidenceId, isNumber = false, children }: EvidenceLinkProps) {
  const view = useInvestigation();
  const search = usePageSearch('investigation');
  const piece = evidenceId === undefined ? undefined : view.evidence.get(evidenceId);
  if (piece === undefined) return <>{children}</>;
  return (
    <PageLink
      page="investigation"
      id={view.investigation.id}
      search={{ ...search, evidence: piece.id }}
      className={`${styles['evidenceLink']} ${isNumber ? styles['number'] : ''}`}
      title={`Evidence: ${visibleText(sourceIn(view, piece).name)}`}
      keepsPlace
    >
      {children}
    </PageLink>
  );
}

/** The pieces of evidence that something cites, by name. */
export function CitedEvidence({ ids }: { ids: readonly string[] }) {
  const view = useInvestigation();
  const pieces = ids.flatMap((id) => view.evidence.get(id) ?? []);
  if (pieces.length === 0) return null;
  return (
    <p className={shared['muted']}>
      Evidence:{' '}
      {pieces.map((piece, index) => (
        <span key={piece.id}>
          {index > 0 && '; '}
          <EvidenceLink evidenceId={piece.id}>
            <bdi>{visibleText(sourceIn(view, piece).name)}</bdi>
          </EvidenceLink>
        </span>
      ))}
    </p>
  );
}
