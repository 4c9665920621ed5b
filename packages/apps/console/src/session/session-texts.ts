import type { PageName } from '@tidewatch/contracts/console/paths';
import type { SignedOut } from './session-state.ts';

/** What the dialog "Sign in" calls the page that it lies over. */
const PAGE_WORDS: Partial<Record<PageName, string>> = {
  alert: 'this alert',
  alerts: 'the alerts',
  host: 'this host',
  hosts: 'the hosts',
  rule: 'this rule',
  investigation: 'this investigation',
  silences: 'the silences',
};

/** Why the dialog "Sign in" is open, in sentences. */
export function signInReason(signedOut: SignedOut, page: PageName | undefined): string {
  switch (signedOut.reason) {
    case 'never':
      return page === 'overview' || page === 'signIn' || page === undefined
        ? 'Sign in to use Tidewatch.'
        : `Sign in to open ${PAGE_WORDS[page] ?? 'this page'}.`;
    case 'expired':
      return 'The session has ended. What you typed stays on this page.';
    case 'elsewhere':
      return 'You are signed out in all tabs of this browser.';
    case 'link':
      return `The link did not sign you in: ${signedOut.detail ?? 'the server refused it'}`;
  }
}
