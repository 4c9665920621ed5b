import type { Summary } from '../../live/summary-counts.ts';
import { PageLink } from '../page-link.tsx';
import styles from './overview-page.module.css';

/** What a new installation lacks, until it is done. */
export function Setup({ summary: { setup, services } }: { summary: Summary }) {
  const hasFewHosts = services.total <= 1;
  if (setup.channels > 0 && setup.public_url && !hasFewHosts) return null;
  return (
    <section aria-labelledby="setup" className={styles['section']}>
      <h2 id="setup">Next steps</h2>
      <ul>
        {setup.channels === 0 && (
          <li>
            <PageLink page="channels">Add a notification channel</PageLink>
          </li>
        )}
        {!setup.public_url && (
          <li>
            Set <code>TIDEWATCH_PUBLIC_URL</code> so that notifications link here
          </li>
        )}
        {hasFewHosts && (
          <li>
            <PageLink page="addHost">Add a host</PageLink>
          </li>
        )}
      </ul>
    </section>
  );
}
