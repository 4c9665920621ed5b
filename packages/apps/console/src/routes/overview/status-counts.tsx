import { formatCount } from '../../components/number/number-format.ts';
import { Status } from '../../components/status/status.tsx';
import type { Summary } from '../../live/summary-counts.ts';
import { PageLink } from '../page-link.tsx';
import styles from './overview-page.module.css';

const HOST_STATUSES = ['critical', 'degraded', 'offline', 'maintenance', 'unknown', 'healthy'] as const;
const SEVERITIES = ['critical', 'warning', 'info'] as const;

/** Hosts by status and alerts by severity; each number leads to the list that it counts. */
export function StatusCounts({ summary: { services, alerts } }: { summary: Summary }) {
  const counts: Readonly<Record<string, number>> = services;
  return (
    <dl className={styles['counts']}>
      <div>
        <dt>Hosts</dt>
        {HOST_STATUSES.filter((status) => (counts[status] ?? 0) > 0 || status === 'healthy').map((status) => (
          <dd key={status}>
            <PageLink page="hosts" search={{ status: [status] }}>
              <Status status={status}>
                {formatCount(counts[status] ?? 0)} {status}
              </Status>
            </PageLink>
          </dd>
        ))}
      </div>
      <div>
        <dt>Active alerts</dt>
        {SEVERITIES.filter((severity) => alerts[severity].total > 0).map((severity) => (
          <dd key={severity}>
            <PageLink page="alerts" search={{ severity }}>
              <Status status={severity}>
                {formatCount(alerts[severity].total)} {severity}
              </Status>
            </PageLink>
          </dd>
        ))}
        {alerts.total === 0 && <dd>none</dd>}
      </div>
    </dl>
  );
}
