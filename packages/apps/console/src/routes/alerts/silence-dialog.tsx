import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { problemText } from '../../components/problem-text.ts';
import { serverNow } from '../../components/time/clock.ts';
import { formatTime } from '../../components/time/time-format.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import styles from './alert-dialogs.module.css';
import { ChoiceField } from './choice-field.tsx';
import {
  DURATIONS,
  endOf,
  matchedText,
  matchersOf,
  SCOPES,
  type SilenceDuration,
  type SilenceScope,
  type SilenceTarget,
  zoneOf,
} from './silence-choices.ts';
import { SilencePreview } from './silence-preview.tsx';

export interface SilenceDialogProps extends SilenceTarget {
  onClose: () => void;
}

/** What a silence changes, by the first member of the keys of cached reads. */
const AFFECTED = ['silences', 'service', 'alert'];

/** Mutes a host, or an alert of it, for a while: what, until when, and what is muted now. */
export function SilenceDialog({ onClose, ...target }: SilenceDialogProps) {
  const { zone } = usePreferences();
  const client = useQueryClient();
  const [scope, setScope] = useState<SilenceScope>(target.rule === undefined ? 'host' : 'alert');
  const [duration, setDuration] = useState<SilenceDuration>('1h');
  const [custom, setCustom] = useState('');
  const [comment, setComment] = useState('');
  // The end that is shown is the end that is stored, however long the dialog stays open.
  const [from] = useState(() => Math.floor(serverNow() / 1_000) * 1_000);
  const until = endOf(duration, from, custom, zone);
  const matchers = matchersOf(scope, target);
  const silence = useMutation({
    mutationFn: () =>
      api.post('/api/v1/silences', {
        body: {
          matchers,
          from: new Date(from).toISOString(),
          until: new Date(until).toISOString(),
          recurrence: null,
          timezone: zoneOf(zone),
          comment: comment.trim(),
        },
      }),
    onSuccess: () => {
      for (const name of AFFECTED) void client.invalidateQueries({ queryKey: [name] });
      onClose();
    },
  });
  const isEndValid = until > from;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEndValid && !silence.isPending) silence.mutate();
  };
  return (
    <Dialog title="Silence" isOpen onClose={onClose}>
      <form onSubmit={submit} className={styles['form']}>
        {target.rule !== undefined && (
          <ChoiceField label="Mute" name="scope" choices={SCOPES} value={scope} onChange={setScope} />
        )}
        <ChoiceField
          label="For"
          name="duration"
          choices={DURATIONS}
          value={duration}
          onChange={setDuration}
        />
        {duration === 'custom' && (
          <label className={styles['field']}>
            Until, in {zoneOf(zone)}
            <input
              type="datetime-local"
              value={custom}
              onChange={(event) => setCustom(event.target.value)}
              required
            />
          </label>
        )}
        <label className={styles['field']}>
          Comment
          <input value={comment} maxLength={2_000} onChange={(event) => setComment(event.target.value)} />
        </label>
        <p>
          Mutes <code>{matchedText(scope, target)}</code>{' '}
          {isEndValid ? (
            <>
              until {formatTime(until, zone)} ({zoneOf(zone)}).
            </>
          ) : (
            'until a time that lies ahead: choose one.'
          )}
        </p>
        <SilencePreview matchers={matchers} />
        {silence.error && (
          <p role="alert" className={styles['fault']}>
            {problemText(silence.error).detail}
          </p>
        )}
        <div className={styles['actions']}>
          <Button
            type="submit"
            kind="primary"
            disabled={!isEndValid}
            isBusy={silence.isPending}
            busy="Silencing …"
          >
            {duration === 'custom' || duration === '09:00' ? 'Silence' : `Silence for ${DURATIONS[duration]}`}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
