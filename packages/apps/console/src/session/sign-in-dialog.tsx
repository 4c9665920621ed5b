import { pageAt } from '@tidewatch/contracts/console/paths';
import { Dialog } from '../components/dialog/dialog.tsx';
import styles from './session.module.css';
import type { SignedOut } from './session-state.ts';
import { signInReason } from './session-texts.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Lies over the page that was asked for, which stays as it is, until somebody is signed in. */
export function SignInDialog({ signedOut, path }: { signedOut: SignedOut; path: string }) {
  return (
    <Dialog title="Sign in" isOpen>
      <p>{signInReason(signedOut, pageAt(path)?.name)}</p>
      <SignInForm />
      <p className={styles['hint']}>
        No key? The terminal of <code>npm start</code> printed a link, or ask an administrator of this
        Tidewatch for one.
      </p>
    </Dialog>
  );
}
