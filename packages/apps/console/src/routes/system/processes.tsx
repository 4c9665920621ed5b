import { formatValue } from '../../components/number/number-format.ts';
import { Status } from '../../components/status/status.tsx';
import { Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './system-page.module.css';
import type { System } from './system-reads.ts';
import { roleWords } from './system-words.ts';

type Process = System['processes'][number];

const STATUSES: Readonly<Record<Process['status'], string>> = {
  ready: 'healthy',
  degraded: 'degraded',
  unavailable: 'critical',
  missing: 'offline',
};

/** The processes of the installation, and those that are missing. */
export function Processes({ processes }: { processes: readonly Process[] }) {
  return (
    <table className={styles['processes']} aria-label="Processes">
      <thead>
        <tr>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Machine and process id</th>
          <th scope="col">Version</th>
          <th scope="col">Lag</th>
          <th scope="col">Started</th>
          <th scope="col">Last report</th>
        </tr>
      </thead>
      <tbody>
        {processes.map(({ id, roles, status, version, reasons, started_at, reported_at, lag_seconds }) => (
          <tr key={id}>
            <th scope="row">{roleWords(roles)}</th>
            <td>
              <Status status={STATUSES[status]}>{status}</Status>
              {reasons.map((reason) => (
                <div key={reason}>{visibleText(reason)}</div>
              ))}
            </td>
            <td className={styles['id']}>
              <bdi>{visibleText(id)}</bdi>
            </td>
            <td data-label="version">{version}</td>
            <td data-label={lag_seconds === null ? undefined : 'lag'}>
              {lag_seconds !== null && formatValue(lag_seconds, 'seconds')}
            </td>
            <td data-label="started">
              <Ago at={started_at} />
            </td>
            <td data-label="last report">
              <Ago at={reported_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
