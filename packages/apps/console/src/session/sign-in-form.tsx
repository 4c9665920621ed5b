import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { problemText } from '../components/problem-text.ts';
import { KeyField } from './key-field.tsx';
import styles from './session.module.css';
import { type SignedIn, signIn } from './session-requests.ts';
import { useSignInMethods } from './sign-in-methods.ts';
import { SignOnButton } from './sign-on-button.tsx';

export interface SignInFormProps {
  onSignedIn?: (answer: SignedIn) => void;
  /** Whether something may have been typed on the page, which must not be left then. */
  keepsPage?: boolean;
}

/** Signs in by a key, which leaves this form for the server alone, or with the identity provider. */
export function SignInForm({ onSignedIn, keepsPage = false }: SignInFormProps) {
  const methods = useSignInMethods();
  const single = methods.single_sign_on;
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
  if (!methods.key && single === null) return null;
  return (
    <form onSubmit={submit} className={styles['form']}>
      {methods.key && <KeyField value={key} onChange={setKey} fault={fault} />}
      <label className={styles['choice']}>
        <input type="checkbox" checked={isReadOnly} onChange={(event) => setReadOnly(event.target.checked)} />
        Read only
      </label>
      <div className={styles['actions']}>
        {methods.key && (
          <Button
            type="submit"
            kind="primary"
            className={styles['submit']}
            isBusy={isBusy}
            busy="Signing in …"
          >
            Sign in
          </Button>
        )}
        {single !== null && (
          <SignOnButton
            kind={methods.key ? 'plain' : 'primary'}
            purpose="sign_in"
            isReadOnly={isReadOnly}
            keepsPage={keepsPage}
          >
            Sign in with {single.name}
          </SignOnButton>
        )}
      </div>
    </form>
  );
}
