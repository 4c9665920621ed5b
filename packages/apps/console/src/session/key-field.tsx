import { useId, useState } from 'react';
import { Button } from '../components/button.tsx';
import styles from './session.module.css';

export interface KeyFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** What is wrong with the key, in the words of the server. */
  fault: string | null;
}

/** The field of a key, which is hidden like a password until "Show" is pressed. */
export function KeyField({ value, onChange, fault }: KeyFieldProps) {
  const id = useId();
  const [isShown, setShown] = useState(false);
  return (
    <div className={styles['field']}>
      <label htmlFor={id}>API key</label>
      <div className={styles['key']}>
        <input
          id={id}
          type={isShown ? 'text' : 'password'}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          placeholder="tw_…"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          maxLength={512}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : `${id}-fault`}
        />
        <Button onClick={() => setShown(!isShown)} aria-pressed={isShown}>
          Show
        </Button>
      </div>
      {fault !== null && (
        <p id={`${id}-fault`} role="alert" className={styles['fault']}>
          {fault}
        </p>
      )}
    </div>
  );
}
