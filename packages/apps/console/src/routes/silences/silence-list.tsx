import { useNavigate } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import type { Silence } from '@tidewatch/contracts/silences/silence';
import { Button } from '../../components/button.tsx';
import { Ago, Time } from '../../components/time/time.tsx';
import { visibleText } from '../../components/visible-text.ts';
import { ScopedButton } from '../../session/scoped-button.tsx';
import { matchersText, recurrenceText } from './silence-words.ts';
import styles from './silences.module.css';
import { useRuleNames } from './use-rule-names.ts';

/** Silences with what they match, when, and who made them. Silences never change: a changed one is a new one. */
export function SilenceList({
  silences,
  onEnd,
}: {
  silences: readonly Silence[];
  onEnd: (silence: Silence) => void;
}) {
  const navigate = useNavigate();
  const ruleName = useRuleNames();
  return (
    <ul className={styles['list']} aria-label="Silences">
      {silences.map((silence) => (
        <li key={silence.id}>
          <div>
            <strong>{matchersText(silence.matchers, ruleName)}</strong>
            <p>
              {silence.status} · {recurrenceText(silence.recurrence)} · <Time at={silence.from} /> to{' '}
              <Time at={silence.until} />
              {silence.recurrence !== null && ` · ${silence.timezone}`}
            </p>
            <p className={styles['muted']}>
              {silence.comment !== '' && `${visibleText(silence.comment)} · `}
              by {visibleText(silence.created_by.name ?? 'Tidewatch')}, <Ago at={silence.created_at} />
            </p>
          </div>
          <div className={styles['actions']}>
            <Button
              onClick={() =>
                void navigate({ to: pathOf('newSilence', {}), search: { copy: silence.id } as never })
              }
            >
              Duplicate
            </Button>
            {silence.status !== 'expired' && <ScopedButton onClick={() => onEnd(silence)}>End</ScopedButton>}
          </div>
        </li>
      ))}
    </ul>
  );
}
