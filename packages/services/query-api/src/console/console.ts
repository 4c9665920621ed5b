import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { ServicePart } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Request, Response, Router } from 'express';
import { openConsoleFolder } from './console-folder.ts';
import { addConsoleRoutes, answerMissingPage, CONSOLE_ENDPOINTS } from './console-routes.ts';
import type { consoleServerSettings } from './console-settings.ts';

/** What the query API serves to people, beside the documentation. */
export interface Console {
  endpoints: readonly Endpoint[];
  addRoutes(router: Router): void;
  /** Answers a path that does not exist, if a page is asked for. */
  answerNotFound?: (request: Request, response: Response) => boolean;
  parts: readonly ServicePart[];
}

/** Where links of people and of older notifications lead. */
const REDIRECTED_PATHS = ['/', '/alerts', '/alerts/{id}', '/services/{id}', '/investigations/{id}'];

/** Without a console these paths lead to the documentation. */
const REDIRECTS: Console = {
  endpoints: REDIRECTED_PATHS.map((path) => ({ method: 'get', path })),
  addRoutes(router) {
    router.get(REDIRECTED_PATHS.map(expressPath), (_request: Request, response: Response) =>
      response.redirect(302, '/docs'),
    );
  },
  parts: [],
};

/** The console of a folder; without a folder, or where it is switched off, redirects to the documentation. */
export function openConsole(
  { hasConsole, consoleDirectory }: ConfigOf<typeof consoleServerSettings>,
  logger: Logger,
): Console {
  if (!hasConsole || consoleDirectory === undefined) return REDIRECTS;
  const folder = openConsoleFolder(consoleDirectory, logger);
  return {
    endpoints: CONSOLE_ENDPOINTS,
    addRoutes: (router) => addConsoleRoutes(router, folder),
    answerNotFound: (request, response) => answerMissingPage(folder, request, response),
    parts: [{ name: 'console', starts: 'before the bus', start: folder.start, stop: folder.stop }],
  };
}
