import { useEffect } from 'react';
import { useSession } from '../../session/session-state.ts';
import { useOutdated } from '../../upgrade/upgrade-state.ts';

/** The pointer disappears once nobody has moved it for so long, ms. */
const POINTER_MS = 5_000;

/** Whether the overview is shown on a wall: by its address, or by the session of a display. */
export function useDisplay(isAsked: boolean): { isDisplay: boolean; isOwnSession: boolean } {
  const session = useSession();
  const identity = session.kind === 'signed-in' ? session.identity : null;
  const isOwnSession = identity?.session?.kind === 'display';
  const isDisplay = isAsked || isOwnSession;
  useEffect(() => {
    if (!isDisplay) return;
    const { documentElement: root } = document;
    root.setAttribute('data-display', '');
    const stops = [hidePointer(root), keepAwake()];
    return () => {
      root.removeAttribute('data-display');
      for (const stop of stops) stop();
    };
  }, [isDisplay]);
  const isOutdated = useOutdated();
  useEffect(() => {
    // Nobody presses "Reload" on a wall.
    if (isDisplay && isOutdated) location.reload();
  }, [isDisplay, isOutdated]);
  return { isDisplay, isOwnSession };
}

function hidePointer(root: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = () => {
    root.removeAttribute('data-idle');
    clearTimeout(timer);
    timer = setTimeout(() => root.setAttribute('data-idle', ''), POINTER_MS);
  };
  show();
  document.addEventListener('pointermove', show);
  return () => {
    clearTimeout(timer);
    root.removeAttribute('data-idle');
    document.removeEventListener('pointermove', show);
  };
}

/** Keeps the screen on where the browser can, which needs HTTPS. The browser ends the lock whenever the page is hidden. */
function keepAwake(): () => void {
  const wakeLock = navigator.wakeLock as WakeLock | undefined;
  let lock: Promise<WakeLockSentinel> | undefined;
  const ask = () => {
    if (document.hidden) return;
    lock = wakeLock?.request('screen');
    lock?.catch(() => undefined);
  };
  ask();
  document.addEventListener('visibilitychange', ask);
  return () => {
    document.removeEventListener('visibilitychange', ask);
    lock?.then((sentinel) => sentinel.release()).catch(() => undefined);
  };
}
