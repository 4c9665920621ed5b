import { hash } from 'node:crypto';

/** A page; `head` and `body` are lines of HTML, indented as they are to be. */
export function htmlPage(head: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
${head}
  </head>
  <body>
${body}
  </body>
</html>
`;
}

/** The policy of a page without scripts: it allows the one style of the page, by its hash, and nothing else. */
export function styledPagePolicy(style: string): string {
  return `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
}
