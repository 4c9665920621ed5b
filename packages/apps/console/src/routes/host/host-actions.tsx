import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { Suspense, useState } from 'react';
import { isLive, rangeOf } from '../../chart/data/range.ts';
import { MoreActions } from '../../components/more-actions/more-actions.tsx';
import { problemText } from '../../components/problem-text.ts';
import { serverNow } from '../../components/time/clock.ts';
import { useShortcuts } from '../../keyboard/use-shortcuts.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { useScope } from '../../session/scopes.ts';
import { lazyPart } from '../../upgrade/load-part.ts';
import { useInvestigate } from '../investigations/use-investigate.ts';
import { usePageSearch } from '../page-state.ts';
import styles from './host-page.module.css';
import type { Host } from './host-reads.ts';

const SilenceDialog = lazyPart(() => import('../alerts/silence-dialog.tsx'), 'SilenceDialog');
const HostDeleteDialog = lazyPart(() => import('./host-delete-dialog.tsx'), 'HostDeleteDialog');

const MIN_WINDOW_MS = 60_000;

/** What one can do with a host: silence it, investigate the range of the page, delete it. */
export function HostActions({ host }: { host: Host }) {
  const { from, to, metric } = usePageSearch('host');
  const [open, setOpen] = useState<'silence' | 'delete' | null>(null);
  const investigate = useInvestigate();
  const canWrite = !useScope('write').isMissing;
  useShortcuts({ s: () => canWrite && setOpen('silence') });
  return (
    <>
      <ScopedButton onClick={() => setOpen('silence')} title="Shortcut: s">
        Silence
      </ScopedButton>
      <ScopedButton
        onClick={() => investigate.mutate(() => investigationInput(host, { from, to, metric }, serverNow()))}
        isBusy={investigate.isPending}
        busy="Starting …"
      >
        Investigate
      </ScopedButton>
      <MoreActions>
        <ScopedButton kind="danger" onClick={() => setOpen('delete')}>
          Delete
        </ScopedButton>
      </MoreActions>
      {investigate.error && (
        <span role="alert" className={styles['fault']}>
          {problemText(investigate.error).detail}
        </span>
      )}
      {open !== null && (
        <Suspense>
          {open === 'silence' ? (
            <SilenceDialog host={host.name} onClose={() => setOpen(null)} />
          ) : (
            <HostDeleteDialog host={host} onClose={() => setOpen(null)} />
          )}
        </Suspense>
      )}
    </>
  );
}

interface Shown {
  from: string | undefined;
  to: string | undefined;
  metric: string | undefined;
}

/** The range of the page as the window of an investigation, which is a minute to a day long. */
export function investigationInput(host: Pick<Host, 'id' | 'metrics'>, shown: Shown, now: number) {
  const { from, to } = rangeOf(shown, '-1h', now);
  const start = Math.min(Math.max(from, to - DAY_MS), to - MIN_WINDOW_MS);
  const isDefault = shown.from === undefined && isLive(shown) && to - from <= HOUR_MS;
  const { metric } = shown;
  return {
    alert_id: null,
    service_id: host.id,
    metric: metric !== undefined && Object.hasOwn(host.metrics, metric) ? metric : null,
    question: null,
    ...(!isDefault && { from: new Date(start).toISOString(), to: new Date(to).toISOString() }),
  };
}
