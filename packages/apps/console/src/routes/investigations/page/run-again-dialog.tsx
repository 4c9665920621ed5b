import { type FormEvent, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog/dialog.tsx';
import { Problem } from '../../../components/problem.tsx';
import { serverNow } from '../../../components/time/clock.ts';
import { formatTime } from '../../../components/time/time-format.ts';
import { clockText, timeOfClockText } from '../../../components/time/wall-clock.ts';
import { usePreferences } from '../../../preferences/preferences.ts';
import dialogStyles from '../../alerts/alert-dialogs.module.css';
import { ChoiceField } from '../../alerts/choice-field.tsx';
import { runAgainInput, WINDOWS, type WindowChoice, windowOf } from '../run-window.ts';
import { useInvestigate } from '../use-investigate.ts';
import { useInvestigation } from './investigation-context.ts';

/** Asks the same of another window. The new investigation has a page of its own; this one stays as it is. */
export function RunAgainDialog({ onClose }: { onClose: () => void }) {
  const { investigation } = useInvestigation();
  const { zone } = usePreferences();
  const [choice, setChoice] = useState<WindowChoice>('longer');
  const [from, setFrom] = useState(() => clockText(Date.parse(investigation.from), zone));
  const [to, setTo] = useState(() => clockText(Date.parse(investigation.to), zone));
  const [question, setQuestion] = useState(investigation.question ?? '');
  const [now] = useState(serverNow);
  const investigate = useInvestigate();
  const custom = { from: timeOfClockText(from, zone), to: timeOfClockText(to, zone) };
  const chosen = windowOf(choice, investigation, custom, now);
  const isValid = chosen.from < chosen.to;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid || investigate.isPending) return;
    investigate.mutate(() => runAgainInput(investigation, chosen, question));
  };
  return (
    <Dialog title="Run again" isOpen onClose={onClose}>
      <form onSubmit={submit} className={dialogStyles['form']}>
        <ChoiceField label="Window" name="window" choices={WINDOWS} value={choice} onChange={setChoice} />
        {choice === 'custom' && (
          <>
            <ClockField label="From" value={from} onChange={setFrom} />
            <ClockField label="To" value={to} onChange={setTo} />
          </>
        )}
        <p>
          {isValid
            ? `From ${formatTime(chosen.from, zone)} to ${formatTime(chosen.to, zone)}.`
            : 'The end must be after the start.'}
        </p>
        <label className={dialogStyles['field']}>
          Question
          <input value={question} maxLength={500} onChange={({ target }) => setQuestion(target.value)} />
        </label>
        {investigate.error && <Problem error={investigate.error} />}
        <div className={dialogStyles['actions']}>
          <Button
            type="submit"
            kind="primary"
            disabled={!isValid}
            isBusy={investigate.isPending}
            busy="Starting …"
          >
            Investigate
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

function ClockField(props: { label: string; value: string; onChange: (text: string) => void }) {
  const { label, value, onChange } = props;
  return (
    <label className={dialogStyles['field']}>
      {label}
      <input
        type="datetime-local"
        step="1"
        required
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  );
}
