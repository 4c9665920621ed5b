import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DOCUMENTATION_ROUTES } from '@tidewatch/contracts/document/operation-routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { PROBLEMS, type ProblemCode } from '@tidewatch/contracts/problems/problem-codes';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { Request, Response, Router } from 'express';
import { docsPage, problemIndexPage, problemPage } from './pages.ts';
import { createStaticBodies } from './static-bodies.ts';

/**
 * The content security policy of the documentation: only assets of this server and no inline scripts. Swagger UI sets
 * styles by attribute and embeds its images.
 */
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

const ASSET_PATH = '/docs/{asset}';

/** The endpoints that `addDocumentationRoutes` adds beside the contract: pages and their assets. */
export const DOCUMENTATION_ENDPOINTS: readonly Endpoint[] = [
  ...DOCUMENTATION_ROUTES,
  { method: 'get', path: ASSET_PATH },
];

const HTML = 'text/html; charset=utf-8';

/** Adds the OpenAPI document, the page that shows it, and a page for each kind of problem; none needs a key. */
export function addDocumentationRoutes(router: Router): void {
  const bodies = createStaticBodies();

  router.get('/openapi.json', (request: Request, response: Response) => {
    const make = () =>
      readFileSync(
        new URL('../../openapi.json', import.meta.resolve('@tidewatch/contracts/document/routes')),
      );
    return bodies.send(request, response, { name: 'openapi', type: 'application/json; charset=utf-8', make });
  });

  router.get('/docs', (request: Request, response: Response) => {
    response.set(headers(DOCS_POLICY));
    return bodies.send(request, response, { name: 'docs', type: HTML, make: docsPage });
  });

  router.get(expressPath(ASSET_PATH), (request: Request, response: Response) => {
    const name = String(request.params['asset']);
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (asset === undefined) throw new ProblemError('not_found');
    const make = () => readFileSync(asset.file());
    return bodies.send(request, response, { name: `docs/${name}`, type: asset.type, make });
  });

  router.get('/problems', (request: Request, response: Response) => {
    response.set(headers(PAGE_POLICY));
    return bodies.send(request, response, { name: 'problems', type: HTML, make: problemIndexPage });
  });

  router.get('/problems/:code', (request: Request, response: Response) => {
    const code = String(request.params['code']);
    if (!Object.hasOwn(PROBLEMS, code)) throw new ProblemError('not_found');
    response.set(headers(PAGE_POLICY));
    const make = () => problemPage(code as ProblemCode);
    return bodies.send(request, response, { name: `problems/${code}`, type: HTML, make });
  });
}

function headers(policy: string): Record<string, string> {
  return { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' };
}
