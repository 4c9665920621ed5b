import { pathOf } from '@tidewatch/contracts/console/paths';
import { type ReactNode, useEffect, useState } from 'react';
import { Button, type ButtonProps } from '../components/button.tsx';
import { problemText } from '../components/problem-text.ts';
import styles from './session.module.css';
import { beginSignOn, findSession } from './session-requests.ts';
import { openPage } from './sign-in-link.ts';

/** How often the page asks whether the sign-in in the other window is done, ms. The other window tells it at once, if it can. */
const ASK_EVERY_MS = 2_000;

export interface SignOnButtonProps {
  purpose: 'sign_in' | 'confirm';
  isReadOnly?: boolean;
  /** Whether the provider opens in another window, since something may have been typed on this page. */
  keepsPage: boolean;
  kind: NonNullable<ButtonProps['kind']>;
  children: ReactNode;
}

/** Signs in, or confirms the session, with the identity provider. */
export function SignOnButton({ purpose, isReadOnly = false, keepsPage, kind, children }: SignOnButtonProps) {
  const [step, setStep] = useState<'idle' | 'busy' | 'elsewhere'>('idle');
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    if (step !== 'elsewhere') return;
    const asking = setInterval(() => findSession().catch(() => undefined), ASK_EVERY_MS);
    return () => clearInterval(asking);
  }, [step]);

  const begin = async () => {
    setStep('busy');
    setFault(null);
    // Browsers open a window only while a click is handled; where they open none, the page is left after all.
    const other = keepsPage ? window.open('', '_blank') : null;
    try {
      const to = other === null ? openPage(location) : pathOf('signIn', {}, { close: true });
      const url = await beginSignOn({ purpose, to, read_only: isReadOnly });
      if (other === null) {
        location.assign(url);
        return;
      }
      // The provider gets no hand on this page.
      other.opener = null;
      other.location.assign(url);
      setStep('elsewhere');
    } catch (error) {
      other?.close();
      setFault(problemText(error).detail);
      setStep('idle');
    }
  };

  return (
    <>
      <Button kind={kind} onClick={begin} isBusy={step === 'busy'} busy="Opening …">
        {children}
      </Button>
      {step === 'elsewhere' && (
        <p role="status" className={styles['wide']}>
          Go on in the window that has opened. This page stays as it is.
        </p>
      )}
      {fault !== null && (
        <p role="alert" className={`${styles['wide']} ${styles['fault']}`}>
          {fault}
        </p>
      )}
    </>
  );
}
