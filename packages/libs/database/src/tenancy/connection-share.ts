import { boundOrganization, boundSignal } from './bound-organization.ts';

/** Divides connections between organizations; `FairShare` of the runtime is one. */
export interface ConnectionShare {
  /** Takes a connection if one is free, else returns undefined: the caller then waits with `take`. */
  tryTake(
    organizationId: string,
    units: number,
    options: { isFinal: false },
  ): { release(): void } | undefined;
  /** Waits for a connection in the organization's turn. Rejects after a timeout, or with the reason of `signal`. */
  take(organizationId: string, units: number, signal?: AbortSignal): Promise<{ release(): void }>;
}

/** Divides connections first come, first served, for pools of workers that serve all organizations. */
export function unshared(max: number): ConnectionShare {
  let free = max;
  const waiting: (() => void)[] = [];
  const hold = () => ({
    release() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  });
  return {
    tryTake() {
      if (free === 0) return undefined;
      free -= 1;
      return hold();
    },
    take: () => new Promise((resolve) => waiting.push(() => resolve(hold()))),
  };
}

/** How long after its client has disconnected a statement is cancelled, ms: most statements end sooner. */
const GRACE_MS = 200;
/** The interval at which the server checks for closed connections, ms: `client_connection_check_interval`. */
export const CLIENT_CHECK_MS = 500;

/** The organization and abort signal that are bound where work begins. */
export interface BoundWork {
  organization: string;
  signal: AbortSignal | undefined;
}

export function boundWork(): BoundWork {
  return { organization: boundOrganization(), signal: boundSignal() };
}

/**
 * Calls `cut` if the work still runs after its client has disconnected. Call the returned function at the end of the work,
 * with a function that releases the share; after a cut it waits until the server has noticed the closed connection, so that
 * the server never runs more statements than the shares allow.
 */
export function cutAfterDisconnect(
  signal: AbortSignal | undefined,
  cut: () => void,
): (release: () => void) => void {
  if (signal === undefined) return (release) => release();
  let isCut = false;
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => {
      isCut = true;
      cut();
    }, GRACE_MS);
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  return (release) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    if (isCut) setTimeout(release, 2 * CLIENT_CHECK_MS).unref();
    else release();
  };
}
