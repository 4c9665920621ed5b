import { Suspense, useState } from 'react';
import { problemText } from '../../components/problem-text.ts';
import { StatusShape } from '../../components/status/status.tsx';
import { statusWord } from '../../components/status/status-kinds.ts';
import { Age } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from '../../live/alert-filter.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { lazyPart } from '../../upgrade/load-part.ts';
import { useAcknowledge } from '../alerts/acknowledge.ts';
import { causeOf, type LikelyCause } from '../alerts/likely-cause.ts';
import { silenceTarget } from '../alerts/silence-choices.ts';
import { PageLink } from '../page-link.tsx';
import { type AttentionRow, acknowledgedBy, alertsOf, severityOf } from './attention-rows.ts';
import { GroupActions } from './group-actions.tsx';
import { hasOneIn, markerWindow } from './marker-window.ts';
import { NearbyMarkers } from './nearby-markers.tsx';
import styles from './overview-page.module.css';

const SilenceDialog = lazyPart(() => import('../alerts/silence-dialog.tsx'), 'SilenceDialog');

/** Hosts that a folded line names. */
const MAX_NAMED = 3;

export interface AttentionLineProps {
  row: AttentionRow;
  causes: ReadonlyMap<string, LikelyCause>;
  /** When markers were set. */
  markerTimes: readonly string[];
  canAct: boolean;
}

/** One line of "Needs attention". */
export function AttentionLine({ row, causes, markerTimes, canAct }: AttentionLineProps) {
  const severity = severityOf(row);
  const cause = alertsOf(row)
    .map((alert) => causeOf(causes, alert))
    .find((found) => found !== undefined);
  const [oldest] = alertsOf(row).toSorted((a, b) => Date.parse(a.fired_at) - Date.parse(b.fired_at));
  return (
    <li className={styles['line']}>
      <StatusShape status={severity} />
      <div className={styles['what']}>
        <span className="visually-hidden">{statusWord(severity)}: </span>
        {row.kind === 'alert' ? <OneAlert {...row} /> : <OneRule alerts={row.alerts} />}
        {cause !== undefined && (
          <p className={styles['muted']}>
            likely cause:{' '}
            <PageLink page="investigation" id={cause.investigationId}>
              {visibleText(cause.title)}
            </PageLink>
            {cause.confidence !== null && ` (confidence ${cause.confidence})`}
          </p>
        )}
        {oldest !== undefined && hasOneIn(markerTimes, markerWindow(alertsOf(row))) && (
          <NearbyMarkers first={oldest} alerts={alertsOf(row)} />
        )}
      </div>
      <span className={styles['since']}>{oldest && <Age at={oldest.fired_at} />}</span>
      <span
        className={styles['by']}
        data-none={alertsOf(row).every(isOpen) || undefined}
        data-folded={row.kind === 'rule' || undefined}
      >
        {row.kind === 'alert' && <span className={styles['byWord']}>acknowledged: </span>}
        {acknowledgedBy(row)}
      </span>
      {canAct &&
        (row.kind === 'alert' ? <Actions alert={row.alert} /> : <GroupActions alerts={row.alerts} />)}
    </li>
  );
}

const isOpen = ({ acknowledged_at }: Alert) => acknowledged_at === null;

function OneAlert({ alert, folded }: { alert: Alert; folded: number }) {
  return (
    <>
      <PageLink page="alert" id={alert.id}>
        {visibleText(alert.summary)}
      </PageLink>
      {folded > 0 && (
        <>
          {' '}
          <PageLink page="alerts" search={{ service_id: alert.service_id }}>
            and {folded} more of this host
          </PageLink>
        </>
      )}
    </>
  );
}

function OneRule({ alerts }: { alerts: readonly Alert[] }) {
  const [first] = alerts;
  const hosts = [...new Set(alerts.map(({ host }) => visibleText(host)))];
  const named = hosts.slice(0, MAX_NAMED).join(', ');
  return (
    <PageLink page="alerts" search={{ rule_id: first?.rule_id }}>
      {visibleText(first?.rule_name ?? '')} on {hosts.length} hosts: {named}
      {hosts.length > MAX_NAMED && ', …'}
    </PageLink>
  );
}

function Actions({ alert }: { alert: Alert }) {
  const acknowledge = useAcknowledge(alert);
  const [isSilencing, setSilencing] = useState(false);
  return (
    <span className={styles['actions']}>
      {alert.acknowledged_at === null && (
        <ScopedButton isBusy={acknowledge.isPending} busy="…" onClick={() => acknowledge.mutate(null)}>
          Acknowledge
        </ScopedButton>
      )}
      <ScopedButton onClick={() => setSilencing(true)}>Silence</ScopedButton>
      {acknowledge.error && <span role="alert">{problemText(acknowledge.error).detail}</span>}
      {isSilencing && (
        <Suspense>
          <SilenceDialog {...silenceTarget(alert)} onClose={() => setSilencing(false)} />
        </Suspense>
      )}
    </span>
  );
}
