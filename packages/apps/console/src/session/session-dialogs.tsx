import { lazy, Suspense } from 'react';
import { useConfirmationAsked } from './confirmation.ts';
import { useSession } from './session-state.ts';

/** Most visits need neither dialog, so that each is loaded when it opens. */
const SignInDialog = lazy(async () => ({ default: (await import('./sign-in-dialog.tsx')).SignInDialog }));
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }));

/** The dialogs of the session, over whatever page is open. */
export function SessionDialogs({ path }: { path: string }) {
  const session = useSession();
  const isConfirmationAsked = useConfirmationAsked();
  if (session.kind === 'signed-out')
    return (
      <Suspense>
        <SignInDialog signedOut={session} path={path} />
      </Suspense>
    );
  if (!isConfirmationAsked) return null;
  return (
    <Suspense>
      <ConfirmDialog keyName={session.kind === 'signed-in' ? session.identity.key.name : null} />
    </Suspense>
  );
}
