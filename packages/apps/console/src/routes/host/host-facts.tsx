import { formatDuration } from '../../components/number/number-format.ts';
import { Age, Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { PageLink } from '../page-link.tsx';
import styles from './host-page.module.css';
import { type Host, intervalOf } from './host-reads.ts';

/** When the host was last seen, how often it reports, and its tags. */
export function HostFacts({ host }: { host: Host }) {
  const interval = intervalOf(host);
  const skew = host.clock_skew_seconds;
  return (
    <ul className={styles['facts']} aria-label="Facts">
      <li>
        {host.status} for <Age at={host.status_since} />
      </li>
      <li>
        last seen <Ago at={host.last_seen} />
      </li>
      {interval !== null && <li>samples every {formatDuration(interval)}</li>}
      {skew !== null && (
        <li>
          clock {formatDuration(Math.abs(skew) * 1_000)} {skew > 0 ? 'fast' : 'slow'}
        </li>
      )}
      {Object.entries(host.tags).map(([name, value]) => (
        <li key={name}>
          <PageLink page="hosts" search={{ tag: [`${name}:${value}`] }} className={styles['tag'] ?? ''}>
            {visibleText(`${name}=${value}`)}
          </PageLink>
        </li>
      ))}
    </ul>
  );
}
