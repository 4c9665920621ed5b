import { useQuery } from '@tanstack/react-query';
import { subjectWords } from '@tidewatch/contracts/values/named-subject';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { Value } from '../../../components/number/number.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import { PageLink } from '../../page-link.tsx';
import { type Alert, ruleRead } from '../alert-reads.ts';
import styles from './alert-page.module.css';

const SUBJECT_LABELS: Record<Alert['subject']['kind'], string> = {
  host: 'Host',
  container: 'Container',
  process: 'Process',
  part: 'Part',
};

/** The numbers of an alert, and the rule as it was and is. */
export function AlertFacts({ alert }: { alert: Alert }) {
  const { data: rule } = useQuery({ ...ruleRead(alert.rule_id), placeholderData: undefined, retry: false });
  const unit = unitOf(alert.metric);
  const runbook = rule?.runbook_url ?? null;
  const value = (of: number | null) => <Value value={of} unit={unit} metric={alert.metric} />;
  return (
    <section className={styles['section']} aria-labelledby="facts">
      <h2 id="facts">Values</h2>
      <dl className={styles['facts']}>
        <dt>Value</dt>
        <dd>{value(alert.value)}</dd>
        <dt>At firing</dt>
        <dd>{value(alert.value_at_fire)}</dd>
        <dt>{alert.condition.startsWith('less') ? 'Min' : 'Max'}</dt>
        <dd>{value(alert.peak_value)}</dd>
        <dt>Threshold</dt>
        <dd>
          {value(alert.threshold)}
          {alert.threshold_max !== null && <> to {value(alert.threshold_max)}</>}
        </dd>
        <dt>Host</dt>
        <dd>
          <PageLink page="host" id={alert.service_id}>
            {visibleText(alert.host)}
          </PageLink>
        </dd>
        <dt>Metric</dt>
        <dd>
          <PageLink page="host" id={alert.service_id} search={chartSearch(alert)}>
            {visibleText(alert.metric)}
          </PageLink>
        </dd>
        {alert.subject.kind !== 'host' && (
          <>
            <dt>{SUBJECT_LABELS[alert.subject.kind]}</dt>
            <dd>
              {visibleText(alert.subject.kind === 'part' ? subjectWords(alert.subject) : alert.subject.name)}
            </dd>
          </>
        )}
        <dt>Rule</dt>
        <dd>
          <PageLink page="rule" id={alert.rule_id}>
            {visibleText(alert.rule_name)}
          </PageLink>
          {rule !== undefined && rule.version !== alert.rule_version && (
            <>
              {' '}
              (the rule has changed since: version {alert.rule_version} → {rule.version})
            </>
          )}
        </dd>
        {runbook !== null && isWebAddress(runbook) && (
          <>
            <dt>Runbook</dt>
            <dd>
              <a href={runbook} rel="noreferrer" target="_blank">
                {visibleText(runbook.replace(/^https?:\/\//, ''))}
              </a>
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}

/** The chart of the metric on the page of the host; that of a part is a series of the part. */
function chartSearch({ metric, subject }: Alert): { metric: string; subject?: string } {
  return subject.kind === 'part' ? { metric, subject: `part:${subject.name}` } : { metric };
}

/** Links come from data: other schemes, such as javascript, are no runbook. */
function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
