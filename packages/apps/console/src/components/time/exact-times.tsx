import { type FormEvent, useState } from 'react';
import { Button } from '../button.tsx';
import styles from './exact-times.module.css';
import type { Zone } from './time-format.ts';
import { clockText, timeOfClockText } from './wall-clock.ts';

export interface ExactTimesProps {
  zone: Zone;
  /** The range that the fields begin with, ms. */
  range: { from: number; to: number };
  /** Called with the chosen range, or null where it stays. */
  onDone: (range: { from: number; to: number } | null) => void;
}

/** Fields of the exact start and end, by the clock of the page's zone. */
export function ExactTimes({ zone, range, onDone }: ExactTimesProps) {
  const [from, setFrom] = useState(() => clockText(range.from, zone));
  const [to, setTo] = useState(() => clockText(range.to, zone));
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const chosen = { from: timeOfClockText(from, zone), to: timeOfClockText(to, zone) };
    if (chosen.from < chosen.to) onDone(chosen);
    else setFault('The end must be after the start.');
  };
  return (
    <form className={styles['exact']} onSubmit={submit}>
      <label>
        From{' '}
        <input
          type="datetime-local"
          step="1"
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
      </label>
      <label>
        To{' '}
        <input
          type="datetime-local"
          step="1"
          required
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </label>
      <Button type="submit" kind="primary">
        Show
      </Button>
      <Button onClick={() => onDone(null)}>Cancel</Button>
      {fault !== '' && <span role="alert">{fault}</span>}
    </form>
  );
}
