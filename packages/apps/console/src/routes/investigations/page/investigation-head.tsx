import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../../components/number/number-format.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { Status } from '../../../components/status/status.tsx';
import { Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import shared from '../../alerts/alert/alert-page.module.css';
import { alertRead } from '../../alerts/alert-reads.ts';
import { PageLink } from '../../page-link.tsx';
import { authorWords, verdictWords } from '../investigation-words.ts';
import { useInvestigation } from './investigation-context.ts';
import styles from './investigation-page.module.css';

/** What it came to, about what, in which window, and who says so. */
export function InvestigationHead() {
  const { investigation } = useInvestigation();
  const { title, severity, service_id, host, from, to, usage, question, failure, created_by } = investigation;
  const author = authorWords(investigation);
  const verdict = verdictWords(investigation);
  const shown = visibleText(title);
  return (
    <div className={shared['head']}>
      <p className={shared['state']}>
        <strong>{verdict}</strong>
        {severity !== null && (
          <>
            {' '}
            <Status status={severity} />
          </>
        )}
      </p>
      <PageHeader title={shown} windowTitle={`${verdict}: ${shown}`} />
      {failure !== null && <p className={styles['danger']}>It failed: {visibleText(failure)}.</p>}
      <p className={shared['muted']}>
        <PageLink page="host" id={service_id}>
          <bdi>{visibleText(host)}</bdi>
        </PageLink>{' '}
        · <Time at={from} /> to <Time at={to} />
        {usage !== null && ` · took ${formatDuration(usage.seconds * 1_000)}`}
        {author !== null && ` · ${visibleText(author)}`}
      </p>
      {(question !== null || created_by !== null) && (
        <p className={shared['muted']}>
          Asked for by {visibleText(created_by?.name ?? 'Tidewatch')}
          {question !== null && question !== title && (
            <>
              : <bdi>{visibleText(question)}</bdi>
            </>
          )}
        </p>
      )}
      <Alerts />
    </div>
  );
}

/** The alerts that it is about: the first by name, the others as a list. */
function Alerts() {
  const { investigation } = useInvestigation();
  const { alert_ids, service_id, storm_alerts: others } = investigation;
  const [first] = alert_ids;
  const { data: alert } = useQuery({
    ...alertRead(first ?? ''),
    enabled: first !== undefined,
    placeholderData: undefined,
  });
  if (first === undefined) return null;
  return (
    <p className={shared['muted']}>
      Alert:{' '}
      <PageLink page="alert" id={first}>
        <bdi>{visibleText(alert?.rule_name ?? first)}</bdi>
      </PageLink>
      {alert_ids.length > 1 && (
        <>
          {' '}
          and{' '}
          <PageLink page="alerts" search={{ service_id, status: 'all' }}>
            {alert_ids.length - 1} more of this host
          </PageLink>
        </>
      )}
      {others > 0 && (
        <>
          {', shared by '}
          <PageLink
            page="alerts"
            search={alert === undefined ? { status: 'all' } : { rule_id: alert.rule_id, status: 'all' }}
          >
            {others} {others === 1 ? 'alert' : 'alerts'} of other hosts
          </PageLink>
        </>
      )}
    </p>
  );
}
