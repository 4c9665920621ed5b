import { Copy } from '../../../components/copy.tsx';
import { Empty } from '../../../components/empty.tsx';
import shared from '../../alerts/alert/alert-page.module.css';
import { citedBy, evidenceWith } from '../text/measured-parts.ts';
import { CitedEvidence } from './evidence-link.tsx';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';
import { MeasuredText } from './measured-text.tsx';

const DANGER = /^(?:Destructive|Interrupts)/;

/** What to do, in order, with the commands and their risks. Tidewatch runs none of them. */
export function Recommendations() {
  const { investigation, evidence } = useInvestigation();
  const { recommendations, status } = investigation;
  if (recommendations.length === 0 && status !== 'completed') return null;
  return (
    <section className={shared['section']} aria-labelledby="todo">
      <h2 id="todo">What to do</h2>
      {recommendations.length === 0 && <Empty>Nothing is recommended.</Empty>}
      <ol className={styles['todo']}>
        {recommendations.map(({ title, description, command, risk, evidence_ids }) => {
          const evidenceOf = evidenceWith(citedBy({ evidence_ids }, evidence));
          return (
            <li key={title}>
              <h3>
                <MeasuredText text={title} evidenceOf={evidenceOf} />
              </h3>
              <p>
                <MeasuredText text={description} evidenceOf={evidenceOf} />
              </p>
              {command !== null && <Copy text={command} />}
              <p className={shared['muted']}>
                Risk:{' '}
                <span className={DANGER.test(risk) ? styles['danger'] : undefined}>
                  <bdi>{risk}</bdi>
                </span>
              </p>
              <CitedEvidence ids={evidence_ids} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}
