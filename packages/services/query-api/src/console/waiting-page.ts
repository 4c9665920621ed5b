import { escapeHtml } from '@tidewatch/contracts/values/escape-html';
import { htmlPage, styledPagePolicy } from '../documentation/html-page.ts';
import { BUILD_COMMAND } from './console-folder.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:15vh auto;padding:0 1em;color-scheme:light dark}pre{overflow:auto;padding:1em;border:1px solid;white-space:pre-wrap}';

export const WAITING_POLICY = styledPagePolicy(STYLE);

function page(title: string, body: string, refreshSeconds: number): string {
  return htmlPage(
    `    <meta http-equiv="refresh" content="${refreshSeconds}">
    <title>${title} - Tidewatch</title>
    <style>${STYLE}</style>`,
    `    <main>
      <h1>${title}</h1>
      ${body}
      <p>The API works meanwhile: <a href="/docs">its documentation</a>.</p>
    </main>`,
  );
}

/** In place of every page while the console is built. It refreshes itself. */
export const PREPARING_PAGE = page(
  'Preparing the console …',
  '<p>The first start of a version builds the web console, which takes some seconds. This page then shows it.</p>',
  2,
);

/** In place of every page after a build that failed, with its reason and the command that repeats it. */
export function failedPage(reason: string): string {
  return page(
    'The console could not be built',
    `<p>Mend what the build reports, and repeat it: <code>${BUILD_COMMAND}</code>. This page then shows the console.</p>
      <pre>${escapeHtml(reason.trim())}</pre>`,
    10,
  );
}
