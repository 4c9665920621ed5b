import { useQuery } from '@tanstack/react-query';
import type { Rule } from '@tidewatch/contracts/rules/rule';
import { subjectWords } from '@tidewatch/contracts/values/named-subject';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { api } from '../../api/client.ts';
import { Empty } from '../../components/empty.tsx';
import { Value } from '../../components/number/number.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Status } from '../../components/status/status.tsx';
import { Age, Ago } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { PageLink } from '../page-link.tsx';
import styles from './rules.module.css';

const LIMIT = 20;

/** The alerts of a rule, the active ones first, and the hosts that breach it but not yet for long enough. */
export function RuleActivity({ rule }: { rule: Rule }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['alerts-of-rule', rule.id],
    refetchInterval: 10_000,
    queryFn: ({ signal }) => readAlerts(rule.id, signal),
  });
  const pending = rule.pending ?? [];
  return (
    <>
      {pending.length > 0 && (
        <section aria-labelledby="pending">
          <h2 id="pending">Pending</h2>
          <ul className={styles['lines']}>
            {pending.map(({ service_id, host, subject, pending_since, value }) => (
              <li key={`${service_id} ${JSON.stringify(subject)}`}>
                <PageLink page="host" id={service_id}>
                  {visibleText(host)}
                </PageLink>
                {subject.kind !== 'host' && <>, {visibleText(subjectWords(subject))}</>}{' '}
                <Value value={value} unit={unitOf(rule.metric)} metric={rule.metric} /> since{' '}
                <Age at={pending_since} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="alerts">
        <h2 id="alerts">Alerts</h2>
        {error && <Problem error={error} retry={() => void refetch()} />}
        {data === undefined ? (
          !error && <Skeleton lines={3} />
        ) : data.alerts.length === 0 ? (
          <Empty>The rule has not fired.</Empty>
        ) : (
          <>
            <ul className={styles['lines']}>
              {data.alerts.map((alert) => (
                <li key={alert.id}>
                  <Status status={alert.severity}>
                    <PageLink page="alert" id={alert.id}>
                      {visibleText(alert.summary)}
                    </PageLink>
                  </Status>
                  <span className={styles['note']}>
                    {alert.state}, <Ago at={alert.fired_at} />
                  </span>
                </li>
              ))}
            </ul>
            {data.pagination.total > LIMIT && (
              <p>
                <PageLink page="alerts" search={{ rule_id: rule.id, status: 'all' }}>
                  All {data.pagination.total} alerts of the rule
                </PageLink>
              </p>
            )}
          </>
        )}
      </section>
    </>
  );
}

async function readAlerts(ruleId: string, signal: AbortSignal) {
  const query = { rule_id: ruleId, limit: LIMIT };
  const page = await api.get('/api/v1/alerts', { params: { query }, signal });
  if (typeof page === 'string') throw new Error('The list of alerts is no JSON.');
  return page;
}
