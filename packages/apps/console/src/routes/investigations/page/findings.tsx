import { Empty } from '../../../components/empty.tsx';
import shared from '../../alerts/alert/alert-page.module.css';
import { usePageSearch } from '../../page-state.ts';
import { isUnderWay } from '../investigation-words.ts';
import { causeOf, findingKey } from '../main-findings.ts';
import { FindingView } from './finding-view.tsx';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

/** The details of findings with a lower score are folded. */
const MIN_SCORE = 0.02;

/** What was out of the ordinary, the most probable cause first. They arrive one by one while the investigation runs. */
export function Findings() {
  const { investigation } = useInvestigation();
  const { finding: current } = usePageSearch('investigation');
  const { findings } = investigation;
  const cause = causeOf(investigation);
  return (
    <section className={shared['section']} aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      {isUnderWay(investigation) ? (
        <p role="status" className={shared['muted']}>
          {findings.length === 0
            ? 'None so far.'
            : `${findings.length} so far. Their evidence follows at the end.`}
        </p>
      ) : (
        findings.length === 0 && <Empty>Nothing was out of the ordinary.</Empty>
      )}
      <ol className={styles['findings']} aria-label="Findings">
        {findings.map((finding) => (
          <FindingView
            key={findingKey(finding)}
            finding={finding}
            isCause={finding === cause}
            isCurrent={finding.id === current}
            isFolded={finding.score < MIN_SCORE && finding.id !== current}
          />
        ))}
      </ol>
    </section>
  );
}
