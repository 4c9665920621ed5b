import type { AnyRouter } from '@tanstack/react-router';
import type { ServedPage } from '@tidewatch/contracts/console/paths';

/** What is opened from each list. A click then waits for data alone, not for scripts. */
const OPENED_FROM: Partial<Record<ServedPage, ServedPage>> = {
  hosts: 'host',
  rules: 'rule',
  investigations: 'investigation',
  channels: 'channel',
  keys: 'key',
};
/** A list has its rows and has painted them by then, ms. */
const AFTER_MS = 2_000;

/**
 * Loads the scripts of the page that is probably opened next, once a list is shown and the browser has nothing else to do.
 * `pageOf` is the page of a route, and `load` loads the scripts of a page.
 */
export function loadNextPages(
  router: AnyRouter,
  pageOf: (routeId: string) => ServedPage | undefined,
  load: (page: ServedPage) => Promise<void> | undefined,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shown: ServedPage | undefined;
  router.subscribe('onResolved', () => {
    const page = pageOf(router.state.matches.at(-1)?.routeId ?? '');
    // Filters and orders are in the address too.
    if (page === shown) return;
    shown = page;
    clearTimeout(timer);
    const next = page === undefined ? undefined : OPENED_FROM[page];
    if (next === undefined) return;
    // What cannot be loaded now is loaded by the click, which shows why it fails.
    timer = setTimeout(() => whenIdle(() => void load(next)?.catch(() => undefined)), AFTER_MS);
  });
}

/** Safari does not say when it is idle. A hidden page loads nothing. */
function whenIdle(act: () => void): void {
  const actIfShown = () => void (document.hidden || act());
  if ('requestIdleCallback' in globalThis) requestIdleCallback(actIfShown);
  else actIfShown();
}
