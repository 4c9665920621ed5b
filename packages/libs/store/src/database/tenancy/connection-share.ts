import { boundOrganization, boundSignal } from './bound-organization.ts';

/** Divides connections between organizations; `FairShare` of the runtime is one. */
export interface ConnectionShare {
  /** A connection at once, or undefined: then the caller waits with `take`. */
  tryTake(
    organizationId: string,
    units: number,
    options: { isFinal: false },
  ): { release(): void } | undefined;
  /** A connection in the organization's turn. Rejects where it comes in no time, or with the reason of `signal`. */
  take(organizationId: string, units: number, signal?: AbortSignal): Promise<{ release(): void }>;
}

/** First come, first served, whoever it is: for pools of workers, which serve all organizations. */
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

/** What is still running so long after its client has left is cut off, ms: less is sooner over than a connection is opened anew. */
const GRACE_MS = 200;
/** How soon the server notices that its client has closed a connection, ms: `client_connection_check_interval`. */
export const CLIENT_CHECK_MS = 500;

/** Whose turn it is and until when somebody waits for it, as bound where work begins. */
export interface Turn {
  organization: string;
  signal: AbortSignal | undefined;
}

export function boundTurn(): Turn {
  return { organization: boundOrganization(), signal: boundSignal() };
}

/**
 * Calls `cut` where work goes on after its client has left. Answers what is to be called at its end with what to release: after
 * a cut that is later, once the server has noticed, so that it never runs more than was shared out.
 */
export function cutOnceGone(signal: AbortSignal | undefined, cut: () => void): (release: () => void) => void {
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
