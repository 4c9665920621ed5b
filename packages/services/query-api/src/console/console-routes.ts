import { PAGES, SERVED_PAGES } from '@tidewatch/contracts/console/paths';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { Request, Response, Router } from 'express';
import type { Asset, Encoding } from './built-console.ts';
import type { ConsoleFolder } from './console-folder.ts';
import { ASSET_HEADERS, pageHeaders } from './headers.ts';
import { failedPage, PREPARING_PAGE, WAITING_POLICY } from './waiting-page.ts';

const HTML = 'text/html; charset=utf-8';
const ASSET_PATH = '/assets/{asset}';
const ICON_PATH = '/favicon.svg';
const PAGE_PATHS = SERVED_PAGES.map((name) => PAGES[name].path.replace(':id', '{id}'));

/** Paths that somebody types by hand, and the page that each of them means. */
const SHORT_PATHS: Readonly<Record<string, string>> = { '/settings': PAGES.preferences.path };

/** The endpoints that `addConsoleRoutes` adds. */
export const CONSOLE_ENDPOINTS: readonly Endpoint[] = [
  ...PAGE_PATHS,
  ...Object.keys(SHORT_PATHS),
  ASSET_PATH,
  ICON_PATH,
].map((path) => ({ method: 'get', path }));

/** Paths below these belong to programs, which read no page: what is missing there is a problem document for everybody. */
const PROGRAM_PATHS = /^\/(?:api|assets|docs|downloads|problems|openapi\.json)(?:\/|$)/;

/** The HTML of every page, the same for everybody, and the files that it loads: all without a key. */
export function addConsoleRoutes(router: Router, folder: ConsoleFolder): void {
  router.get(PAGE_PATHS.map(expressPath), (request: Request, response: Response) => {
    sendPage(folder, request, response);
  });

  for (const [path, page] of Object.entries(SHORT_PATHS))
    router.get(path, (request: Request, response: Response) => {
      response.set(pageHeaders(request.secure)).redirect(307, page);
    });

  router.get(ICON_PATH, (request: Request, response: Response) => {
    const state = folder.state();
    if (state.kind !== 'ready') throw new ProblemError('not_found');
    const { body, tag } = state.console.icon;
    response.set({
      ...ASSET_HEADERS,
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'no-cache',
      ETag: tag,
    });
    sendTagged(request, response, body, tag);
  });

  router.get(expressPath(ASSET_PATH), async (request: Request, response: Response) => {
    const state = folder.state();
    const name = String(request.params['asset']);
    const asset = state.kind === 'ready' ? state.console.assets.get(name) : undefined;
    // Never the HTML, which would leave a blank page where a script was expected.
    if (state.kind !== 'ready' || asset === undefined)
      throw new ProblemError('not_found', { detail: 'The console has no such file.' });
    const encoding = encodingOf(request, asset);
    const body = await state.console.readAsset(name, encoding);
    response.vary('Accept-Encoding');
    response.set({
      ...ASSET_HEADERS,
      'Content-Type': asset.type,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Content-Length': String(body.length),
      ...(encoding !== null && { 'Content-Encoding': encoding }),
    });
    response.end(body);
  });
}

/** Answers a path that does not exist with a page, if a browser asks for one; returns false to leave it to others. */
export function answerMissingPage(folder: ConsoleFolder, request: Request, response: Response): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (PROGRAM_PATHS.test(request.path) || /\.[a-z0-9]+$/i.test(request.path)) return false;
  // A client that accepts any type, such as curl, gets the problem document.
  if (request.accepts(['application/problem+json', 'text/html']) !== 'text/html') return false;
  response.status(404);
  sendPage(folder, request, response);
  return true;
}

function sendPage(folder: ConsoleFolder, request: Request, response: Response): void {
  const state = folder.state();
  if (state.kind !== 'ready') {
    const body = state.kind === 'preparing' ? PREPARING_PAGE : failedPage(state.reason);
    response.set({ ...pageHeaders(request.secure, WAITING_POLICY), 'Content-Type': HTML }).end(body);
    return;
  }
  const { body, tag } = state.console.html;
  response.set({
    ...pageHeaders(request.secure),
    'Content-Type': HTML,
    'Cache-Control': 'no-cache',
    ETag: tag,
  });
  sendTagged(request, response, body, tag);
}

function sendTagged(request: Request, response: Response, body: Buffer, tag: string): void {
  if (response.statusCode === 200 && request.headers['if-none-match']?.includes(tag)) {
    response.status(304).end();
    return;
  }
  response.set('Content-Length', String(body.length)).end(body);
}

function encodingOf(request: Request, { encodings }: Asset): Encoding | null {
  const isTaken = (each: Encoding) => encodings.has(each) && request.acceptsEncodings(each) !== false;
  return (['br', 'gzip'] as const).find(isTaken) ?? null;
}
