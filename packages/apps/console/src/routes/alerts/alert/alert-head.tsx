import { unitOf } from '@tidewatch/contracts/values/unit';
import { Value } from '../../../components/number/number.tsx';
import { formatDuration } from '../../../components/number/number-format.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { Status } from '../../../components/status/status.tsx';
import { statusWord } from '../../../components/status/status-kinds.ts';
import { Age, Ago, Time } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import type { Alert } from '../alert-reads.ts';
import { alertName, alertRemarks, resolutionWord } from '../alert-words.ts';
import styles from './alert-page.module.css';

/** What somebody woken at night reads first: how bad, since when, what, and how far beyond the threshold. */
export function AlertHead({ alert, windowTitle }: { alert: Alert; windowTitle: string }) {
  const { severity, state, fired_at, resolved_at, acknowledged_by, acknowledged_at } = alert;
  const unit = unitOf(alert.metric);
  const remarks = alertRemarks(alert);
  return (
    <div className={styles['head']}>
      <p className={styles['state']}>
        <Status status={resolved_at === null ? severity : 'healthy'}>
          {statusWord(severity)} · {state}
        </Status>{' '}
        {resolved_at === null ? (
          <>
            for <Age at={fired_at} />
          </>
        ) : (
          <>
            after {formatDuration(Date.parse(resolved_at) - Date.parse(fired_at))}: {resolutionWord(alert)}
          </>
        )}
        {remarks.length > 0 && ` · ${remarks.join(' · ')}`}
      </p>
      <PageHeader title={alertName(alert)} windowTitle={windowTitle} />
      <p className={styles['sentence']}>{visibleText(alert.summary)}</p>
      <p className={styles['muted']}>
        Since <Time at={fired_at} />
        {resolved_at !== null && (
          <>
            , resolved <Time at={resolved_at} />
          </>
        )}
        {' · now '}
        <strong className={styles['value']}>
          <Value value={alert.value} unit={unit} metric={alert.metric} />
        </strong>
        {alert.threshold !== null && (
          <>
            {' · threshold '}
            <Value value={alert.threshold} unit={unit} metric={alert.metric} />
          </>
        )}
      </p>
      {acknowledged_at !== null && (
        <p className={styles['muted']}>
          Acknowledged by {visibleText(acknowledged_by?.name ?? 'somebody')} <Ago at={acknowledged_at} />
        </p>
      )}
    </div>
  );
}
