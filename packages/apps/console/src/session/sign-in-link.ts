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

/** Where a sign-in leads to: a page of this console, whatever the parameter says. */
export function targetOf(to: string | undefined, isPage: (path: string) => boolean): string {
  if (to === undefined || !to.startsWith('/')) return '/';
  const url = URL.canParse(to, 'http://console.invalid') ? new URL(to, 'http://console.invalid') : null;
  if (url === null || url.origin !== 'http://console.invalid' || !isPage(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
