import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { api } from '../../../api/client.ts';
import { Time } from '../../../components/time/time.tsx';
import type { Alert } from '../alert-reads.ts';
import { timelineOf } from '../timeline.ts';
import styles from './alert-page.module.css';
import { CommentForm } from './comment-form.tsx';
import type { SectionProps } from './section-props.ts';

/** Everything that happened to the alert, newest first. */
export function Timeline({ alert, evidence, investigation, markers, unit }: SectionProps) {
  const entries = timelineOf(alert, evidence, investigation, markers, unit);
  return (
    <section className={styles['section']} data-section="timeline">
      <h2 id="timeline">Timeline</h2>
      <CommentForm key={alert.id} alertId={alert.id} />
      <ol className={styles['timeline']} aria-label="Timeline">
        {entries.map(({ key, at, kind, text }) => (
          <li key={key} data-kind={kind}>
            <Time at={at} /> <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Markers from an hour before the breach until the alert was resolved, for all hosts or for this one. */
export const markersRead = ({ id, host, pending_since, fired_at, resolved_at }: Alert) => ({
  queryKey: ['markers', { alert: id, resolved_at }],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const from = new Date(Date.parse(pending_since ?? fired_at) - HOUR_MS).toISOString();
    const query = { from, limit: 100, ...(resolved_at !== null && { to: resolved_at }) };
    const { markers } = await api.get('/api/v1/markers', { params: { query }, signal });
    return markers.filter(({ selector: { hosts, tags } }) => {
      // Which tags the host had then is not known here, so that markers of tags are left to the host's own page.
      if (tags !== undefined && Object.keys(tags).length > 0) return false;
      return hosts === undefined || hosts.length === 0 || hosts.includes(host);
    });
  },
  staleTime: 60_000,
});
