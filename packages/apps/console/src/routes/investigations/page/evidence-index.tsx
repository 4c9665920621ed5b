import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { EvidenceLink } from './evidence-link.tsx';
import { sourceIn, useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

/** All pieces of evidence. On paper each has its numbers, too. */
export function EvidenceIndex() {
  const view = useInvestigation();
  const { evidence } = view.investigation;
  if (evidence.length === 0) return null;
  return (
    <section className={shared['section']} aria-labelledby="evidence">
      <h2 id="evidence">Evidence</h2>
      <p className={shared['muted']}>
        As it was read when the investigation ran. It stays when samples arrive late or age out.
      </p>
      <ol className={styles['index']} aria-labelledby="evidence">
        {evidence.map((piece) => (
          <li key={piece.id}>
            <EvidenceLink evidenceId={piece.id}>
              <bdi>{visibleText(sourceIn(view, piece).name)}</bdi>
            </EvidenceLink>{' '}
            <span className={shared['muted']}>
              <Time at={piece.from} /> to <Time at={piece.to} />
            </span>
            <p className={styles['onPaper']}>
              <code>{visibleText(piece.query)}</code>
              <br />
              {visibleText(
                Object.entries(piece.stats)
                  .map(([name, value]) => `${name} ${value ?? '–'}`)
                  .join('; '),
              )}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
