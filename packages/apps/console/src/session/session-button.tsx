import { Suspense, useState } from 'react';
import { CircleUser } from '../icons/lucide.ts';
import { lazyPart } from '../upgrade/load-part.ts';
import styles from './session.module.css';
import { useSession } from './session-state.ts';

const SessionDialog = lazyPart(() => import('./session-dialog.tsx'), 'SessionDialog');

/** Who is signed in, at the top of every page; opens what the session may do, and the sign-out. */
export function SessionButton() {
  const session = useSession();
  const [isOpen, setOpen] = useState(false);
  if (session.kind !== 'signed-in') return null;
  const { key, organization } = session.identity;
  return (
    <>
      <button
        type="button"
        className={styles['button']}
        aria-haspopup="dialog"
        title={`Signed in to ${organization.name} ${key.kind === 'person' ? 'as' : 'with the key'} “${key.name}”`}
        onClick={() => setOpen(true)}
      >
        <CircleUser size={18} aria-hidden="true" />
        <span className={styles['buttonName']}>{key.name}</span>
      </button>
      {isOpen && (
        <Suspense>
          <SessionDialog identity={session.identity} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
