import { pageAt } from '@tidewatch/contracts/console/paths';
import { Dialog } from '../components/dialog/dialog.tsx';
import styles from './session.module.css';
import type { SignedOut } from './session-state.ts';
import { signInReason } from './session-texts.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useSignInMethods } from './sign-in-methods.ts';

/** Lies over the page that was asked for, which stays as it is, until somebody is signed in. */
export function SignInDialog({ signedOut, path }: { signedOut: SignedOut; path: string }) {
  const { key } = useSignInMethods();
  return (
    <Dialog title="Sign in" isOpen>
      <p>{signInReason(signedOut, pageAt(path)?.name)}</p>
      <SignInForm keepsPage={signedOut.reason === 'expired' || signedOut.reason === 'elsewhere'} />
      {key && (
        <p className={styles['hint']}>
          No key? The terminal of <code>npm start</code> printed a link, or ask an administrator of this
          Tidewatch for one.
        </p>
      )}
    </Dialog>
  );
}
