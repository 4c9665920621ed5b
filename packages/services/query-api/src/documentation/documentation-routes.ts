import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PROBLEMS, type ProblemCode, ProblemError } from '@tidewatch/contracts/values/problem';
import type { Request, Response, Router } from 'express';
import { docsPage, problemIndexPage, problemPage } from './pages.ts';

/** Nothing from elsewhere, no inline script. Swagger UI sets styles by attribute and embeds its pictures. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const PAGE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const own = (name: string) => fileURLToPath(new URL(`../../assets/${name}`, import.meta.url));
const swagger = (name: string) => fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`));

const ASSETS: Record<string, { file: () => string; type: string }> = {
  'init.js': { file: () => own('init.js'), type: 'text/javascript; charset=utf-8' },
  'swagger-ui.css': { file: () => swagger('swagger-ui.css'), type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': {
    file: () => swagger('swagger-ui-bundle.js'),
    type: 'text/javascript; charset=utf-8',
  },
  'favicon-32x32.png': { file: () => swagger('favicon-32x32.png'), type: 'image/png' },
};

/** Where links in notifications lead: to the documentation, since no page shows an alert or a service. */
const PAGES_OF_LINKS = ['/alerts', '/alerts/:id', '/services/:id'];

/** The OpenAPI document, the page that shows it, and a page for each kind of problem: all without a key. */
export function addDocumentationRoutes(router: Router): void {
  const cached = createFileCache();

  router.get(['/', ...PAGES_OF_LINKS], (_request: Request, response: Response) =>
    response.redirect(302, '/docs'),
  );

  router.get('/openapi.json', (request: Request, response: Response) => {
    const document = new URL(
      '../../openapi.json',
      import.meta.resolve('@tidewatch/contracts/document/routes'),
    );
    send(request, response, cached(fileURLToPath(document)), 'application/json; charset=utf-8');
  });

  router.get('/docs', (_request: Request, response: Response) => {
    response.set(headers(DOCS_POLICY)).type('html').send(docsPage());
  });

  router.get('/docs/:asset', (request: Request, response: Response) => {
    const name = String(request.params['asset']);
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (asset === undefined) throw new ProblemError('not_found');
    send(request, response, cached(asset.file()), asset.type);
  });

  router.get('/problems', (_request: Request, response: Response) => {
    response.set(headers(PAGE_POLICY)).type('html').send(problemIndexPage());
  });

  router.get('/problems/:code', (request: Request, response: Response) => {
    const code = String(request.params['code']);
    if (!Object.hasOwn(PROBLEMS, code)) throw new ProblemError('not_found');
    response
      .set(headers(PAGE_POLICY))
      .type('html')
      .send(problemPage(code as ProblemCode));
  });
}

interface CachedFile {
  body: Buffer;
  tag: string;
}

/** Reads each file once; the set of files is closed. */
function createFileCache(): (path: string) => CachedFile {
  const files = new Map<string, CachedFile>();
  return (path) => {
    let file = files.get(path);
    if (file === undefined) {
      const body = readFileSync(path);
      file = { body, tag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` };
      files.set(path, file);
    }
    return file;
  };
}

function send(request: Request, response: Response, { body, tag }: CachedFile, type: string): void {
  response.set({
    ETag: tag,
    'Cache-Control': 'no-cache',
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
  });
  if (request.headers['if-none-match']?.includes(tag)) response.status(304).end();
  else response.send(body);
}

function headers(policy: string): Record<string, string> {
  return {
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}
