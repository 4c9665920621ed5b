import { Suspense } from 'react';
import { lazyPart } from '../upgrade/load-part.ts';
import { useConfirmationAsked } from './confirmation.ts';
import { useSession } from './session-state.ts';

/** Most visits need neither dialog, so that each is loaded when it opens. */
const SignInDialog = lazyPart(() => import('./sign-in-dialog.tsx'), 'SignInDialog');
const ConfirmDialog = lazyPart(() => import('./confirm-dialog.tsx'), 'ConfirmDialog');

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
  if (!isConfirmationAsked || session.kind !== 'signed-in') return null;
  return (
    <Suspense>
      <ConfirmDialog identity={session.identity} />
    </Suspense>
  );
}
