import { pageAt } from '@tidewatch/contracts/console/paths';
import { MAX_RETURN_PATH, returnPath } from '@tidewatch/contracts/console/return-path';

let wasTaken = false;

/** Whether this page was opened by a sign-in link. */
export function wasOpenedByLink(): boolean {
  return wasTaken;
}

/**
 * The secret of a sign-in link, from the fragment `#link=…`; null if there is none. It is removed from the address first,
 * so that neither the history nor a copied address holds it.
 */
export function takeSignInLink(location: Location, history: History): string | null {
  const secret = secretOf(location.hash);
  if (secret === null) return null;
  wasTaken = true;
  history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}

export function secretOf(hash: string): string | null {
  const secret = new URLSearchParams(hash.slice(1)).get('link');
  return secret === null || secret === '' ? null : secret;
}

/** Where a sign-in leads to: a page of this console other than the sign-in, whatever the parameter says. */
export function targetOf(to: string | undefined): string {
  const path = to === undefined ? undefined : returnPath(to);
  return path === undefined || pageAt(path.replace(/[?#].*$/, ''))?.name === 'signIn' ? '/' : path;
}

/** The page that a sign-in comes back to: the one that is open, without its query where that is too long to be kept meanwhile. */
export function openPage({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const page = pathname + search + hash;
  return page.length <= MAX_RETURN_PATH ? page : pathname;
}
