import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { problemText } from '../components/problem-text.ts';
import { KeyField } from './key-field.tsx';
import styles from './session.module.css';
import { type SignedIn, signIn } from './session-requests.ts';

/** Exchanges a key for a session. The key leaves this form for the server alone. */
export function SignInForm({ onSignedIn }: { onSignedIn?: (answer: SignedIn) => void }) {
  const [key, setKey] = useState('');
  const [isReadOnly, setReadOnly] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      const answer = await signIn({ key: key.trim(), read_only: isReadOnly });
      setKey('');
      onSignedIn?.(answer);
    } catch (error) {
      setFault(problemText(error).detail);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className={styles['form']}>
      <KeyField value={key} onChange={setKey} fault={fault} />
      <label className={styles['choice']}>
        <input type="checkbox" checked={isReadOnly} onChange={(event) => setReadOnly(event.target.checked)} />
        Read only
      </label>
      <div>
        <Button type="submit" kind="primary" className={styles['submit']} isBusy={isBusy} busy="Signing in …">
          Sign in
        </Button>
      </div>
    </form>
  );
}
