import { formatCount } from '../../../components/number/number-format.ts';
import { Status } from '../../../components/status/status.tsx';
import { Ago } from '../../../components/time/time.tsx';
import { visibleText } from '../../../components/visible-text.ts';
import styles from '../host-page.module.css';
import type { Host } from '../host-reads.ts';
import { sentByAgents } from './sent-by-agents.ts';

/** What agents of other projects send of the host: how much is stored, left out and why, and refused. */
export function HostAgents({ host }: { host: Host }) {
  const agents = sentByAgents(host.parts);
  if (agents.length === 0) return null;
  return (
    <ul className={styles['facts']} aria-label="Sent by other agents">
      {agents.map(({ protocol, stored, leftOut, reasons, refused, time }) => (
        <li key={protocol}>
          {visibleText(protocol)}: {formatCount(stored)} series stored, {formatCount(leftOut)} left out
          {reasons !== '' && ` (${visibleText(reasons)})`}
          {refused > 0 && (
            <>
              , <Status status="warning">{formatCount(refused)} points refused</Status>
            </>
          )}
          , reported <Ago at={time} />
        </li>
      ))}
    </ul>
  );
}
