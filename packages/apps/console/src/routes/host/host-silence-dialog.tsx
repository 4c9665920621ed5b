import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog/dialog.tsx';
import { problemText } from '../../components/problem-text.ts';
import { serverNow } from '../../components/time/clock.ts';
import { formatTime } from '../../components/time/time-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import { usePreferences } from '../../preferences/preferences.ts';
import styles from '../alerts/alert-dialogs.module.css';
import { ChoiceField } from '../alerts/choice-field.tsx';
import {
  DURATIONS,
  endOf,
  type SilenceDuration,
  type SilenceInput,
  zoneOf,
} from '../alerts/silence-choices.ts';
import { SilencePreview } from '../alerts/silence-preview.tsx';
import type { Host } from './host-reads.ts';

/** Mutes all alerts of a host for a while, which puts it in maintenance. */
export function HostSilenceDialog({ host, onClose }: { host: Host; onClose: () => void }) {
  const { zone } = usePreferences();
  const client = useQueryClient();
  const [duration, setDuration] = useState<SilenceDuration>('1h');
  const [custom, setCustom] = useState('');
  const [comment, setComment] = useState('');
  // The end that is shown is the end that is stored, however long the dialog stays open.
  const [from] = useState(() => Math.floor(serverNow() / 1_000) * 1_000);
  const until = endOf(duration, from, custom, zone);
  const isEndValid = until > from;
  const silence = useMutation({
    mutationFn: () =>
      api.post('/api/v1/silences', {
        body: {
          matchers: { hosts: [host.name] } as SilenceInput['matchers'],
          from: new Date(from).toISOString(),
          until: new Date(until).toISOString(),
          recurrence: null,
          timezone: zoneOf(zone),
          comment: comment.trim(),
        },
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['silences'] });
      void client.invalidateQueries({ queryKey: ['service', host.id] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEndValid && !silence.isPending) silence.mutate();
  };
  const isShort = duration === '1h' || duration === '4h';
  return (
    <Dialog title="Silence" isOpen onClose={onClose}>
      <form onSubmit={submit} className={styles['form']}>
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
              required
              value={custom}
              onChange={({ target }) => setCustom(target.value)}
            />
          </label>
        )}
        <label className={styles['field']}>
          Comment
          <input value={comment} maxLength={2_000} onChange={({ target }) => setComment(target.value)} />
        </label>
        <p>
          Mutes <code>host={visibleText(host.name)}</code>{' '}
          {isEndValid
            ? `until ${formatTime(until, zone)} (${zoneOf(zone)}). The host is in maintenance meanwhile.`
            : 'until a time that lies ahead: choose one.'}
        </p>
        <SilencePreview matchers={{ hosts: [host.name] } as SilenceInput['matchers']} />
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
            {isShort ? `Silence for ${DURATIONS[duration]}` : 'Silence'}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
