import { API_ROUTES } from '@tidewatch/contracts/document/routes';
import { expressPath } from '@tidewatch/runtime/http/express-path';
import type { Request } from 'express';

/** The paths of lists that can be exported. */
const EXPORTED: ReadonlySet<string> = new Set(
  API_ROUTES.filter(({ method, query }) => method === 'get' && query?.shape.format !== undefined).map(
    ({ path }) => expressPath(path),
  ),
);

/** Whether a request asks for a file by `format`, as a plain link of the console does, which sends no header of ours. */
export function isDownload(request: Request): boolean {
  const { format } = request.query;
  if (request.method !== 'GET' || typeof format !== 'string' || format === 'json') return false;
  return EXPORTED.has(String(request.route?.path));
}
