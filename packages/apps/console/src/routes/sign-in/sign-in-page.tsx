import { useRouter } from '@tanstack/react-router';
import { pathOf } from '@tidewatch/contracts/console/paths';
import { useEffect, useState } from 'react';
import { PageHeader } from '../../components/page-header.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { startPath } from '../../preferences/start-page.ts';
import type { SignedIn } from '../../session/session-requests.ts';
import { useSession } from '../../session/session-state.ts';
import { announceSession } from '../../session/session-tabs.ts';
import { SignInForm } from '../../session/sign-in-form.tsx';
import { targetOf, wasOpenedByLink } from '../../session/sign-in-link.ts';
import { PageLink } from '../page-link.tsx';
import { usePageSearch } from '../page-state.ts';

const DISPLAY = pathOf('overview', {}, { display: true });

/** Where links that sign in lead to. Signed out, the dialog lies over it; afterwards the page of `to` opens. */
export function SignInPage() {
  const session = useSession();
  const router = useRouter();
  const { to, close } = usePageSearch('signIn');
  const isDisplay = session.kind === 'signed-in' && session.identity.session?.kind === 'display';
  // A display has no keyboard to choose a page with.
  const start = isDisplay ? DISPLAY : startPath();
  const target = to === undefined ? start : targetOf(to);
  // Somebody who opens this page while signed in may want to change the key, and is not sent away.
  const [startedSignedIn] = useState(session.kind === 'signed-in' && !wasOpenedByLink());
  const [replaced, setReplaced] = useState<SignedIn['replaced']>(null);
  const isLeaving = session.kind === 'signed-in' && !startedSignedIn && replaced === null && !close;
  useEffect(() => {
    if (isLeaving) router.history.replace(target);
  }, [isLeaving, router, target]);

  const isDone = session.kind === 'signed-in' && close === true;
  useEffect(() => {
    if (!isDone) return;
    announceSession('signed-in');
    window.close();
  }, [isDone]);

  if (isDone)
    return (
      <>
        <PageHeader title="Signed in" />
        <p role="status">Close this window, and go on in the one that you came from.</p>
        <p>
          <PageLink page="overview">Open the overview</PageLink>
        </p>
      </>
    );
  if (session.kind !== 'signed-in' || isLeaving)
    return (
      <>
        <PageHeader title="Sign in" />
        {session.kind !== 'signed-out' && <Skeleton lines={2} />}
      </>
    );
  const { organization, key } = session.identity;
  return (
    <>
      <PageHeader title="Sign in" />
      {replaced !== null && (
        <p role="status">
          The session of “{replaced.key.name}” in {replaced.organization.name} has ended.
        </p>
      )}
      <p>
        This browser is signed in to {organization.name} {key.kind === 'person' ? 'as' : 'with the key'} “
        {key.name}”. <PageLink page="overview">Open the overview</PageLink>
      </p>
      <h2>Sign in again</h2>
      <p>A browser has one session: signing in ends the present one.</p>
      <SignInForm onSignedIn={(answer) => setReplaced(answer.replaced)} />
    </>
  );
}
