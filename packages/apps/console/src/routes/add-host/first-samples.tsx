import { useQuery } from '@tanstack/react-query';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { formatValue } from '../../components/number/number-format.ts';
import { Status, StatusShape } from '../../components/status/status.tsx';
import { Ago, Clock } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { FLEET_METRICS } from '../../fleet/fleet.ts';
import { hostRead } from '../host/host-reads.ts';
import { PageLink } from '../page-link.tsx';
import styles from './add-host.module.css';
import type { ReportedHost } from './hosts-of-events.ts';

/** Values that are shown of a host at most. */
const MAX_VALUES = 4;

/** The hosts that have reported, or since when the page waits for one. */
export function FirstSamples({ hosts, since }: { hosts: readonly ReportedHost[]; since: string }) {
  return (
    <div role="status">
      {hosts.length === 0 ? (
        <p className={styles['waiting']}>
          <StatusShape status="unknown" /> Waiting for the first sample…{' '}
          <span className={styles['muted']}>
            since <Clock at={since} />
          </span>
        </p>
      ) : (
        <ul className={styles['reported']}>
          {hosts.map((host) => (
            <li key={host.id}>
              <FirstSample host={host} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** "cpu_percent 12.5 %" of the metrics that the list of hosts shows, then of others. */
function valuesOf(metrics: Readonly<Record<string, number>>): string[] {
  const names = new Set([...FLEET_METRICS.filter((metric) => metric in metrics), ...Object.keys(metrics)]);
  return [...names].slice(0, MAX_VALUES).flatMap((name) => {
    const value = metrics[name];
    return value === undefined ? [] : `${visibleText(name)} ${formatValue(value, unitOf(name), name)}`;
  });
}

function FirstSample({ host: { id, name } }: { host: ReportedHost }) {
  const { data } = useQuery(hostRead(id));
  const shown = visibleText(name);
  const values = data === undefined ? [] : valuesOf(data.metrics);
  return (
    <>
      <Status status={data?.status ?? 'unknown'}>{shown}</Status>
      <span>
        reported
        {data !== undefined && (
          <>
            {' '}
            <Ago at={data.last_seen} />
          </>
        )}
        {values.length > 0 && `: ${values.join(', ')}`}
      </span>
      <PageLink page="host" id={id}>
        Open {shown} <span aria-hidden="true">›</span>
      </PageLink>
    </>
  );
}
