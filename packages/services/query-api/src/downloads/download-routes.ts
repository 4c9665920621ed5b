import { readFileSync } from 'node:fs';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Endpoint } from '@tidewatch/runtime/http/allowed-methods';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { Request, Response, Router } from 'express';
import { createStaticBodies } from '../documentation/static-bodies.ts';

const SCRIPT_PATH = '/install.sh';
const FILE_PATH = '/downloads/{file}';
/** Names of packages and of their sums; none leads out of the folder or to a hidden file. */
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Downloads at the same time; a client that reads nothing holds one for DOWNLOAD_TIMEOUT_MS. */
const MAX_DOWNLOADS = 64;
const DOWNLOAD_TIMEOUT_MS = 600_000;
const NOTHING_BUILT =
  'No packages of the agent are served here. Run "npm run build:agent" where Tidewatch runs, or name their folder by TIDEWATCH_DOWNLOADS_DIR.';

/** The endpoints that `addDownloadRoutes` adds. */
export const DOWNLOAD_ENDPOINTS: readonly Endpoint[] = [SCRIPT_PATH, FILE_PATH].map((path) => ({
  method: 'get',
  path,
}));

/** The script that installs the agent, and the files of `folder`, which it downloads: all without a key. */
export function addDownloadRoutes(router: Router, folder: string | null): void {
  const bodies = createStaticBodies();
  let running = 0;

  router.get(SCRIPT_PATH, (request: Request, response: Response) => {
    const make = () => readFileSync(new URL('../../assets/install.sh', import.meta.url));
    return bodies.send(request, response, {
      name: 'install.sh',
      type: 'text/x-shellscript; charset=utf-8',
      make,
    });
  });

  router.get(expressPath(FILE_PATH), async (request: Request, response: Response) => {
    const name = String(request.params['file']);
    if (folder === null || !FILE_NAME.test(name))
      throw new ProblemError('not_found', { detail: NOTHING_BUILT });
    if (running >= MAX_DOWNLOADS) throw new ProblemError('overloaded', { headers: { 'Retry-After': '10' } });
    running += 1;
    const timer = setTimeout(() => response.destroy(), DOWNLOAD_TIMEOUT_MS);
    try {
      await sendFile(response, folder, name);
    } finally {
      clearTimeout(timer);
      running -= 1;
    }
  });
}

/** Resolves once the file was sent, or the client is gone. Rejects if there is no such file. */
function sendFile(response: Response, folder: string, name: string): Promise<void> {
  // A newer build replaces files of the same names, and a compressed file is not compressed again.
  const headers = { 'Cache-Control': 'no-cache, no-transform', 'X-Content-Type-Options': 'nosniff' };
  const type = name.includes('.') ? 'application/octet-stream' : 'text/plain; charset=utf-8';
  return new Promise((resolve, reject) => {
    response.sendFile(name, { root: folder, headers: { ...headers, 'Content-Type': type } }, (error) => {
      if (!error || response.headersSent) resolve();
      else if ((error as { status?: number }).status === 404)
        reject(new ProblemError('not_found', { detail: NOTHING_BUILT }));
      else reject(error);
    });
  });
}
