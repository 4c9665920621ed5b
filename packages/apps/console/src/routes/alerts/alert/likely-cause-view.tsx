import { problemText } from '../../../components/problem-text.ts';
import { Skeleton } from '../../../components/skeleton.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import type { Investigation } from '../../investigations/investigation-reads.ts';
import { inconclusiveWords } from '../../investigations/investigation-words.ts';
import { PageLink } from '../../page-link.tsx';
import styles from './alert-page.module.css';

export interface LikelyCauseProps {
  investigationId: string | null;
  investigation: Investigation | undefined;
  error: Error | null;
}

/** What the investigation of an alert found, or how far it is. */
export function LikelyCause({ investigationId, investigation, error }: LikelyCauseProps) {
  if (investigationId === null) return null;
  return (
    <section className={styles['section']} aria-labelledby="cause">
      <h2 id="cause">
        {investigation?.conclusion === 'root_cause_found'
          ? `Likely cause, confidence ${investigation.confidence}`
          : 'Investigation'}
      </h2>
      {error && <p role="alert">{problemText(error).detail}</p>}
      {investigation === undefined ? (
        !error && <Skeleton lines={2} />
      ) : (
        <>
          <p>
            <PageLink page="investigation" id={investigationId}>
              {visibleText(sentenceOf(investigation))}
            </PageLink>
          </p>
          {investigation.conclusion === 'root_cause_found' && (
            <p className={styles['muted']}>{visibleText(investigation.findings[0]?.description ?? '')}</p>
          )}
        </>
      )}
    </section>
  );
}

function sentenceOf({ status, conclusion, analysis, findings, failure }: Investigation): string {
  const [best] = findings;
  if (status === 'failed') return `The investigation failed: ${failure ?? 'no reason is known'}.`;
  if (status === 'cancelled') return 'The investigation was cancelled.';
  if (status !== 'completed')
    return best === undefined ? 'The investigation is running.' : `So far: ${best.title}`;
  if (conclusion === 'inconclusive') return inconclusiveWords(analysis);
  return best?.title ?? analysis?.root_cause ?? '';
}
