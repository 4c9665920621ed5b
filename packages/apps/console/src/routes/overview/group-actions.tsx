import { Suspense, useState } from 'react';
import type { Alert } from '../../live/alert-filter.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { lazyPart } from '../../upgrade/load-part.ts';
import { PageLink } from '../page-link.tsx';
import styles from './overview-page.module.css';

const AcknowledgeGroup = lazyPart(() => import('./acknowledge-group.tsx'), 'AcknowledgeGroup');

/** What can be done with the alerts of one rule on many hosts: list them, and acknowledge those that nobody has yet. */
export function GroupActions({ alerts }: { alerts: readonly Alert[] }) {
  const [isAsking, setAsking] = useState(false);
  const open = alerts.filter(({ acknowledged_at }) => acknowledged_at === null);
  return (
    <span className={styles['actions']}>
      <PageLink page="alerts" search={{ rule_id: alerts[0]?.rule_id }}>
        Show all {alerts.length}
      </PageLink>
      {(open.length > 0 || isAsking) && (
        <ScopedButton onClick={() => setAsking(true)}>Acknowledge all</ScopedButton>
      )}
      {isAsking && (
        <Suspense>
          <AcknowledgeGroup name={alerts[0]?.rule_name ?? ''} open={open} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </span>
  );
}
