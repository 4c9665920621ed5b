import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { formatCount } from '../../components/number/number-format.ts';
import { problemText } from '../../components/problem-text.ts';
import { Status } from '../../components/status/status.tsx';
import { visibleText } from '../../components/visible-text.ts';
import styles from './alert-dialogs.module.css';
import type { SilenceInput } from './silence-choices.ts';

/** What a silence with these matchers mutes now, as the server answers it. */
export function SilencePreview({ matchers }: { matchers: SilenceInput['matchers'] }) {
  const { data, error } = useQuery({
    queryKey: ['silence-preview', matchers],
    // What another silence would mute is not what this one does.
    placeholderData: undefined,
    queryFn: ({ signal }) => api.post('/api/v1/silences/preview', { body: { matchers }, signal }),
  });
  if (error) return <p role="alert">{problemText(error).detail}</p>;
  if (data === undefined) return <p className={styles['preview']}>Looking up what it mutes …</p>;
  const { services, alerts, maintenance } = data;
  const left = alerts.total - alerts.list.length;
  return (
    <section className={styles['preview']} aria-label="Muted now">
      <p>
        {counted(services.total, 'host')}, {counted(alerts.total, 'active alert')}
        {alerts.total === 0 ? '.' : ':'}
      </p>
      <ul>
        {alerts.list.map(({ id, severity, summary, silenced_by }) => (
          <li key={id}>
            <Status status={severity}>
              {visibleText(summary)}
              {silenced_by !== null && ' (silenced already)'}
            </Status>
          </li>
        ))}
      </ul>
      {left > 0 && <p>{formatCount(left)} more</p>}
      {maintenance && <p>Hosts that it matches are in maintenance meanwhile.</p>}
    </section>
  );
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}
