import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { problemText } from '../../../components/problem-text.ts';
import { useServerNow } from '../../../components/time/clock.ts';
import { ScopedButton } from '../../../session/scoped-button.tsx';
import { useInvestigate } from '../../investigations/use-investigate.ts';
import type { Alert } from '../alert-reads.ts';
import styles from './alert-page.module.css';

/** Asks for an investigation of an alert that has none: those below the severity floor, of shadow rules and of old samples. */
export function NotInvestigated({ alert }: { alert: Alert }) {
  const investigate = useInvestigate();
  const now = useServerNow();
  const { investigation_id, backfilled, shadow, created_at } = alert;
  // An investigation that begins by itself exists within seconds.
  const mayBeginByItself = !backfilled && !shadow && now - Date.parse(created_at) < MINUTE_MS / 4;
  if (investigation_id !== null || mayBeginByItself) return null;
  return (
    <section className={styles['section']} aria-labelledby="investigation">
      <h2 id="investigation">Investigation</h2>
      <p>This alert has not been investigated.</p>
      <div className={styles['buttons']}>
        <ScopedButton
          isBusy={investigate.isPending}
          busy="Starting …"
          onClick={() => investigate.mutate(() => ({ alert_id: alert.id }))}
        >
          Investigate
        </ScopedButton>
      </div>
      {investigate.error && <p role="alert">{problemText(investigate.error).detail}</p>}
    </section>
  );
}
