import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { Empty } from '../../../components/empty.tsx';
import { problemText } from '../../../components/problem-text.ts';
import { Time } from '../../../components/time/time.tsx';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { type Alert, alertRead } from '../alert-reads.ts';
import { channelName, notificationWord } from '../alert-words.ts';
import styles from './alert-page.module.css';

type AlertNotification = Alert['notifications'][number];

/** Who was notified of the alert, and who was not and why. */
export function Notifications({ alert }: { alert: Alert }) {
  return (
    <section className={styles['section']} data-section="notifications" aria-labelledby="notifications">
      <h2 id="notifications">Notifications</h2>
      {alert.notifications.length === 0 ? (
        <Empty>No channel was notified of this alert.</Empty>
      ) : (
        <ul className={styles['plain']}>
          {alert.notifications.map((notification) => (
            <Line key={notification.id} notification={notification} alertId={alert.id} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ notification, alertId }: { notification: AlertNotification; alertId: string }) {
  const client = useQueryClient();
  const { id, status, transition, sent_at, created_at, attempts } = notification;
  const send = useMutation({
    mutationFn: () => api.post('/api/v1/notifications/{id}/redeliver', { params: { path: { id } } }),
    onSettled: () => client.invalidateQueries({ queryKey: alertRead(alertId).queryKey }),
  });
  return (
    <li className={styles['notification']} data-status={status}>
      <span>
        <span aria-hidden="true">{status === 'delivered' ? '✓' : status === 'failed' ? '✕' : '–'}</span>{' '}
        {transition} · {channelName(notification)}: {notificationWord(notification)}
        {attempts > 1 && ` after ${attempts} attempts`}
      </span>
      <span className={styles['muted']}>
        <Time at={sent_at ?? created_at} />
      </span>
      {(status === 'failed' || status === 'queued') && (
        <ScopedButton isBusy={send.isPending} busy="Sending …" onClick={() => send.mutate()}>
          Send again
        </ScopedButton>
      )}
      {send.error && <span role="alert">{problemText(send.error).detail}</span>}
    </li>
  );
}
