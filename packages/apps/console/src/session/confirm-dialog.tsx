import { type FormEvent, useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog/dialog.tsx';
import { problemText } from '../components/problem-text.ts';
import { settleConfirmation } from './confirmation.ts';
import { KeyField } from './key-field.tsx';
import styles from './session.module.css';
import { confirmSession } from './session-requests.ts';
import type { Identity } from './session-state.ts';
import { useSignInMethods } from './sign-in-methods.ts';
import { SignOnButton } from './sign-on-button.tsx';

/** Asks who it is once more before something privileged. The request that needs it then continues. */
export function ConfirmDialog({ identity }: { identity: Identity }) {
  const [before] = useState(identity.confirmed_until);
  const isConfirmed = identity.confirmed_until !== before;
  useEffect(() => {
    if (isConfirmed) settleConfirmation(true);
  }, [isConfirmed]);
  const { kind, name } = identity.key;
  return (
    <Dialog title="Confirm it is you" isOpen onClose={() => settleConfirmation(false)}>
      {kind === 'person' ? <ConfirmBySignOn email={name} /> : <ConfirmByKey keyName={name} />}
    </Dialog>
  );
}

function ConfirmBySignOn({ email }: { email: string }) {
  const { single_sign_on: single } = useSignInMethods();
  return (
    <>
      <p>
        For this, the last sign-in or confirmation is too long ago. Sign in once more as {email} to continue.
      </p>
      <div className={styles['actions']}>
        {single !== null && (
          <SignOnButton kind="primary" purpose="confirm" keepsPage>
            Confirm with {single.name}
          </SignOnButton>
        )}
        <Button onClick={() => settleConfirmation(false)}>Cancel</Button>
      </div>
    </>
  );
}

function ConfirmByKey({ keyName }: { keyName: string }) {
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFault(null);
    try {
      await confirmSession(key.trim());
    } catch (error) {
      setFault(problemText(error).detail);
      setBusy(false);
    }
  };
  return (
    <>
      <p>
        For this, the last sign-in or confirmation is too long ago. Enter the key of this session, “{keyName}
        ”, to continue.
      </p>
      <form onSubmit={submit} className={styles['form']}>
        <KeyField value={key} onChange={setKey} fault={fault} />
        <div className={styles['actions']}>
          <Button type="submit" kind="primary" isBusy={isBusy} busy="Confirming …">
            Confirm
          </Button>
          <Button onClick={() => settleConfirmation(false)}>Cancel</Button>
        </div>
      </form>
    </>
  );
}
