import { formatCount } from '../../components/number/number-format.ts';
import { Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import type { Summary } from '../../live/summary-counts.ts';
import { PageLink } from '../page-link.tsx';
import styles from './overview-page.module.css';

/** Notifications that did not reach anybody, and rules that would notify nobody. */
export function NotDelivered({ summary: { notifications, rules } }: { summary: Summary }) {
  const { failed, failing_channels: failing } = notifications;
  const without = rules.without_channels;
  return (
    <section aria-labelledby="delivery" className={styles['section']}>
      <h2 id="delivery">Not delivered</h2>
      {failed === 0 && failing.length === 0 && without === 0 && <p>No notification failed in 24 hours.</p>}
      {failed > 0 && (
        <p>
          <PageLink page="notifications" search={{ status: 'failed' }}>
            {formatCount(failed)} {failed === 1 ? 'notification' : 'notifications'} failed in 24 hours
          </PageLink>
        </p>
      )}
      <ul className={styles['plain']}>
        {failing.map(({ id, name, kind, failed_at, error }) => (
          <li key={id}>
            <PageLink page="channel" id={id}>
              {visibleText(name)} ({kind})
            </PageLink>
            : {visibleText(error ?? 'no reason is known')}{' '}
            <span className={styles['muted']}>
              <Ago at={failed_at} />
            </span>
          </li>
        ))}
      </ul>
      {without > 0 && (
        <p>
          <PageLink page="rules">
            {formatCount(without)} {without === 1 ? 'rule has' : 'rules have'} no channel
          </PageLink>
        </p>
      )}
    </section>
  );
}
