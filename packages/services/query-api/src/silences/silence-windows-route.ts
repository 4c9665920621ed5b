import { faultProblem } from '@tidewatch/contracts/problems/problem';
import type { SILENCE_ROUTES } from '@tidewatch/contracts/silences/silence-routes';
import { MAX_WINDOW_DAYS, MAX_WINDOWS } from '@tidewatch/contracts/silences/silence-windows';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { listSilenceWindows } from '@tidewatch/store/silences/windows';
import { clientGone } from '../http/client-gone.ts';
import { sendTagged } from '../http/entity-tag.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const WEEK_MS = 7 * DAY_MS;
/** The first and the last time that answers spell, ms. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** Answers `GET /api/v1/silences/windows`. */
export function createSilenceWindowsHandler(
  { sql, clock }: QueryApiOptions,
  queries: OrganizationShare,
): HandlerOf<typeof SILENCE_ROUTES, 'listSilenceWindows'> {
  return async ({ query, organizationId, request, response }) => {
    const from = query.from ?? Math.max(FIRST_TIME, query.to === undefined ? clock() : query.to - WEEK_MS);
    const to = query.to ?? Math.min(LAST_TIME, from + WEEK_MS);
    if (to - from > MAX_WINDOW_DAYS * DAY_MS)
      throw rangeProblem('out_of_range', `Must be at most ${MAX_WINDOW_DAYS} days after from.`);
    const gone = clientGone(response);
    const windows = await queries.run(organizationId, gone, () =>
      listSilenceWindows(sql, organizationId, { from, to }, MAX_WINDOWS, gone),
    );
    if (windows === null)
      throw rangeProblem(
        'too_large',
        `Would answer more than ${MAX_WINDOWS} windows: choose a shorter range.`,
      );
    sendTagged(request, response, { from: toIso(from), to: toIso(to), windows }, null);
  };
}

function rangeProblem(code: string, message: string) {
  return faultProblem('query', '/to', code, message);
}
