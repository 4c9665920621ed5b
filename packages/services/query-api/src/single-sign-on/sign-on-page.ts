import { pathOf } from '@tidewatch/contracts/console/paths';
import { returnPath } from '@tidewatch/contracts/console/return-path';
import type { ProblemError } from '@tidewatch/contracts/problems/problem';
import { PROBLEMS } from '@tidewatch/contracts/problems/problem-codes';
import { escapeHtml } from '@tidewatch/contracts/values/escape-html';
import { htmlPage, styledPagePolicy } from '../documentation/html-page.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:15vh auto;padding:0 1em;color-scheme:light dark;overflow-wrap:anywhere}a{color:light-dark(#0b62a8,#6cb6ff)}small{opacity:.8}';

export const SIGN_ON_PAGE_POLICY = styledPagePolicy(STYLE);

/** Says why a sign-in with the identity provider failed. `to` is the page that it would have led to, if that is known. */
export function failedSignOnPage(problem: ProblemError, to: string | undefined, requestId: string): string {
  const { title, description } = PROBLEMS[problem.code];
  const target = to === undefined ? undefined : returnPath(to);
  // A window that was opened for the sign-in alone closes itself on a page of its own.
  const again = target?.startsWith('/sign-in')
    ? target
    : pathOf('signIn', {}, target === undefined ? {} : { to: target });
  return htmlPage(
    `    <title>${escapeHtml(title)} - Tidewatch</title>
    <style>${STYLE}</style>`,
    `    <main>
      <h1>${escapeHtml(title)}</h1>
      <p>${escapeHtml(problem.detail ?? description)}</p>
      <p><a href="${escapeHtml(again)}">Sign in again</a></p>
      <p><small>Request ${escapeHtml(requestId)}</small></p>
    </main>`,
  );
}
