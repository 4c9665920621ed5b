import { useQuery } from '@tanstack/react-query';
import { Empty } from '../../../components/empty.tsx';
import { Problem } from '../../../components/problem.tsx';
import { Skeleton } from '../../../components/skeleton.tsx';
import { Status } from '../../../components/status/status.tsx';
import { Ago } from '../../../components/time/time.tsx';
import { PageLink } from '../../page-link.tsx';
import { type Alert, relatedRead } from '../alert-reads.ts';
import { instanceName } from '../alert-words.ts';
import { relatedGroups } from '../related-groups.ts';
import styles from './alert-page.module.css';

/** Alerts of each group that are shown; the list has them all. */
const MAX_SHOWN = 5;

/** Alerts that happened beside this one or before it. */
export function Related({ alert }: { alert: Alert }) {
  const { data, error, refetch } = useQuery({ ...relatedRead(alert), placeholderData: undefined });
  const groups = data && relatedGroups(alert, data);
  return (
    <section className={styles['section']} data-section="related" aria-labelledby="related">
      <h2 id="related">Related</h2>
      {error && <Problem error={error} retry={() => void refetch()} />}
      {groups === undefined && !error && <Skeleton lines={3} />}
      {groups?.length === 0 && <Empty>No other alert is related to this one.</Empty>}
      {groups?.map(({ title, alerts, search }) => (
        <div key={title}>
          <h3>{title}</h3>
          <ul className={styles['plain']}>
            {alerts.slice(0, MAX_SHOWN).map((each) => (
              <li key={each.id}>
                <Status status={each.status === 'resolved' ? 'healthy' : each.severity}>
                  <PageLink page="alert" id={each.id}>
                    {instanceName(each)}
                  </PageLink>
                </Status>{' '}
                <span className={styles['muted']}>
                  {each.status}, <Ago at={each.fired_at} />
                </span>
              </li>
            ))}
          </ul>
          {alerts.length > MAX_SHOWN && (
            <PageLink page="alerts" search={search}>
              Show all
            </PageLink>
          )}
        </div>
      ))}
    </section>
  );
}
