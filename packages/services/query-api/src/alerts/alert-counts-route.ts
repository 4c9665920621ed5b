import { type AlertCountsAnswer, COUNT_BOUNDS } from '@tidewatch/contracts/alerts/alert-counts';
import type { ALERT_ROUTES } from '@tidewatch/contracts/alerts/alert-routes';
import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { parseStep } from '@tidewatch/domain/rollup/step';
import { countAlerts } from '@tidewatch/store/alerts/count';
import { readAlertCounts } from '@tidewatch/store/alerts/counts';
import { clientGone } from '../http/client-gone.ts';
import { sendTagged } from '../http/entity-tag.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const WEEK_MS = 7 * DAY_MS;
/** The first time that answers spell, ms. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');

/** Answers `GET /api/v1/alerts/counts`. */
export function createAlertCountsHandler(
  { sql, clock }: QueryApiOptions,
  queries: OrganizationShare,
): HandlerOf<typeof ALERT_ROUTES, 'countAlerts'> {
  return async ({ query, organizationId, request, response }) => {
    const now = clock();
    const to = query.to ?? now;
    const from = query.from ?? Math.max(FIRST_TIME, to - WEEK_MS);
    const { shadow, top, group_by: groupBy = null } = query;
    const stepMs = stepOf(query.step, { from, to, groups: groupBy === null ? 0 : top });
    const gone = clientGone(response);
    const counts = await queries.run(organizationId, gone, async () => {
      const alerts = await countAlerts(sql, organizationId, { from, to, shadow });
      if (alerts > COUNT_BOUNDS.alerts) throw tooManyAlerts(alerts);
      const asked = { organizationId, from, to, now, shadow, groupBy, stepMs, top };
      return await sql.begin('isolation level repeatable read read only', (tx) => readAlertCounts(tx, asked));
    });
    const answer: AlertCountsAnswer = {
      from: toIso(from),
      to: toIso(to),
      group_by: groupBy,
      step_seconds: stepMs === null ? null : stepMs / 1_000,
      ...(counts as Pick<AlertCountsAnswer, 'total' | 'groups' | 'groups_total'>),
    };
    sendTagged(request, response, answer, null);
  };
}

/** The step in ms, null where none is asked for. Throws 422 where the answer would have too many points. */
function stepOf(
  text: string | undefined,
  { from, to, groups }: { from: number; to: number; groups: number },
): number | null {
  if (text === undefined) return null;
  const stepMs = parseStep(text);
  if (stepMs === undefined)
    throw faultProblem(
      'query',
      '/step',
      'invalid_format',
      'Must be whole seconds, or a number with s, m, h or d.',
    );
  const { steps: maxSteps, points } = COUNT_BOUNDS;
  const steps = Math.ceil((to - from) / stepMs);
  const max = Math.min(maxSteps, Math.floor(points / Math.max(1, groups)));
  if (steps <= max) return stepMs;
  const seconds = Math.ceil((to - from) / max / 1_000);
  const message = `Must be at least ${seconds} seconds for this range: an answer has at most ${maxSteps} steps and ${points} points.`;
  throw faultProblem('query', '/step', 'too_many_points', message);
}

function tooManyAlerts(alerts: number) {
  const message = `${alerts} alerts fired in this range, and ${COUNT_BOUNDS.alerts} are counted at most: choose a shorter one.`;
  return faultProblem('query', '/from', 'too_large', message);
}
