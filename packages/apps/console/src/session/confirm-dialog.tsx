import { type FormEvent, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog/dialog.tsx';
import { problemText } from '../components/problem-text.ts';
import { settleConfirmation } from './confirmation.ts';
import { KeyField } from './key-field.tsx';
import styles from './session.module.css';
import { confirmSession } from './session-requests.ts';

/** Asks for the key once more before something privileged. The request that needs it then continues. */
export function ConfirmDialog({ keyName }: { keyName: string | null }) {
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
    <Dialog title="Confirm it is you" isOpen onClose={() => settleConfirmation(false)}>
      <p>
        This needs an administrator, and the last confirmation is too long ago. Enter the key of this session
        {keyName !== null && <>, “{keyName}”,</>} to continue.
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
    </Dialog>
  );
}
