import { PROBLEM_CODES, PROBLEMS, type ProblemCode } from '@tidewatch/contracts/problems/problem-codes';
import { PROBLEM_HELP, problemExample } from '@tidewatch/contracts/problems/problem-help';
import { escapeHtml } from '@tidewatch/contracts/values/escape-html';
import { htmlPage } from './html-page.ts';

/** The page that shows the API document, with assets of this server only. */
export function docsPage(): string {
  return htmlPage(
    `    <title>Tidewatch API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">`,
    `    <div id="swagger-ui"></div>
    <noscript>The page needs scripts; the document itself is <a href="/openapi.json">openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/init.js"></script>`,
  );
}

/** A page of text; `body` is HTML. */
function page(title: string, body: string): string {
  return htmlPage(
    `    <title>${escapeHtml(title)} - Tidewatch</title>`,
    `    <h1>${escapeHtml(title)}</h1>
    ${body}
    <p><a href="/problems">All problems</a>, <a href="/docs">API documentation</a></p>`,
  );
}

/** The page that a problem's `type` links to. */
export function problemPage(code: ProblemCode): string {
  const { status, title, description } = PROBLEMS[code];
  const { remedy, example } = PROBLEM_HELP[code];
  const answer = JSON.stringify(problemExample(code), null, 2);
  const body = `<p>${escapeHtml(description)}</p>
    <h2>What to do</h2>
    <p>${escapeHtml(remedy)}</p>
    <pre><code>${escapeHtml(example)}</code></pre>
    <h2>Example of the answer</h2>
    <pre><code>${escapeHtml(answer)}</code></pre>
    <dl>
      <dt>Code</dt><dd><code>${escapeHtml(code)}</code></dd>
      <dt>HTTP status</dt><dd>${status}</dd>
    </dl>`;
  return page(title, body);
}

/** The page that lists all problem codes by status. */
export function problemIndexPage(): string {
  const codes = PROBLEM_CODES.toSorted((a, b) => PROBLEMS[a].status - PROBLEMS[b].status);
  const rows = codes.map((code) => {
    const { status, description } = PROBLEMS[code];
    const link = `<a href="/problems/${code}"><code>${code}</code></a>`;
    return `<tr><td>${status}</td><td>${link}</td><td>${escapeHtml(description)}</td></tr>`;
  });
  const head = '<tr><th>HTTP status</th><th>Code</th><th>Meaning</th></tr>';
  return page('Problems', `<table>${head}${rows.join('')}</table>`);
}
