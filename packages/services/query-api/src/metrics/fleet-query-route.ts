import type { FleetAnswer, FleetQuery } from '@tidewatch/contracts/metrics/fleet-query';
import type { METRIC_ROUTES } from '@tidewatch/contracts/metrics/metric-routes';
import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { unitOf } from '@tidewatch/contracts/values/unit';
import { MAX_ANSWERED, MAX_ROWS, tooMuch } from '@tidewatch/domain/fleet/effort';
import type { Grouping } from '@tidewatch/domain/fleet/grouping';
import { retainedTiers } from '@tidewatch/domain/rollup/buckets';
import type { SeriesPlan } from '@tidewatch/domain/rollup/plan';
import {
  type FleetMember,
  findFleetMembers,
  MAX_SERIES,
  TooManySeriesError,
} from '@tidewatch/store/fleet/members';
import { type FleetSeries, readFleetSeries } from '@tidewatch/store/fleet/series';
import { clientGone } from '../http/client-gone.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { planRequested } from '../services/series-plan.ts';
import { fleetBody } from './fleet-body.ts';

/** Queries that take longer than this are logged, ms. */
const SLOW_MS = 2_000;

/** Answers `POST /api/v1/query`. */
export function createFleetQueryHandler(
  options: QueryApiOptions,
  queries: OrganizationShare,
): HandlerOf<typeof METRIC_ROUTES, 'queryMetric'> {
  const { clock, metrics, logger } = options;
  const seconds = metrics.histogram(
    'tidewatch_fleet_query_seconds',
    'Time that queries over many hosts took.',
    ['tier'],
  );

  return async (call) => {
    const query = await call.body();
    const { organizationId, response } = call;
    const now = clock();
    const to = query.to ?? now;
    const from = query.from ?? to - HOUR_MS;
    const requested = { in: 'body' as const, step: query.step, to: query.to };
    const plan = planRequested(requested, { from, to, now, retention: options.config.retention });
    const gone = clientGone(response);
    const holding = await queries.take(organizationId, gone);
    const began = performance.now();
    try {
      const { members, series } = await run(options, organizationId, query, { from, to, plan }, gone);
      const head: Omit<FleetAnswer, 'series'> = {
        metric: query.metric,
        unit: unitOf(query.metric),
        aggregate: query.aggregate,
        from: toIso(from),
        to: toIso(to),
        step_seconds: plan.stepMs / 1_000,
        tier: plan.tier,
        services: new Set(members.map(({ host }) => host)).size,
        parts: members.filter(({ isOfPart }) => isOfPart).length,
      };
      const body = fleetBody(head, series);
      response.once('finish', () => body.release());
      response.type('json').send(body.finish());
    } finally {
      holding.release();
      const took = performance.now() - began;
      seconds.observe({ tier: plan.tier }, took / 1_000);
      if (took > SLOW_MS)
        logger.warn({ tier: plan.tier, ms: Math.round(took) }, 'slow query: a query over hosts took long');
    }
  };
}

interface Range {
  from: number;
  to: number;
  plan: SeriesPlan;
}

async function run(
  { sql, clock, config }: QueryApiOptions,
  organizationId: string,
  query: FleetQuery,
  { from: asked, to, plan }: Range,
  signal: AbortSignal,
): Promise<{ members: FleetMember[]; series: FleetSeries[] }> {
  const { metric, selector, aggregate, top } = query;
  const { tier, stepMs } = plan;
  const from = Math.max(asked, plan.retainedFrom);
  const grouping = groupingOf(query);
  return (await sql
    .begin('isolation level repeatable read read only', async (tx) => {
      const members = await findFleetMembers(tx, organizationId, { metric, selector, grouping });
      requireBounded(members, query, { from, to, plan });
      const series = await readFleetSeries(tx, {
        members,
        aggregate,
        top,
        signal,
        tier,
        stepMs,
        from,
        to,
        retained: retainedTiers(clock(), config.retention),
      });
      return { members, series };
    })
    .catch(refuseTooManySeries)) as { members: FleetMember[]; series: FleetSeries[] };
}

function groupingOf({ group_by: tag, by, top }: FleetQuery): Grouping {
  if (tag !== null) return { tag };
  return by ?? (top === null ? 'all' : 'subject');
}

function refuseTooManySeries(error: unknown): never {
  if (!(error instanceof TooManySeriesError)) throw error;
  const message = `More than ${MAX_SERIES} hosts and parts have the metric: choose fewer of them.`;
  throw faultProblem('body', '/selector', 'too_large', message);
}

/** Throws 422 with a suggestion if the query would read or return too much. */
function requireBounded(
  members: readonly FleetMember[],
  { top }: FleetQuery,
  { from, to, plan }: Range,
): void {
  const hosts = new Set(members.map(({ host }) => host)).size;
  const blocks = new Set(members.map(({ blockId }) => blockId)).size;
  const effort = { hosts, blocks, series: members.length, from, to, tier: plan.tier };
  const excess = from < to ? tooMuch(effort) : null;
  if (excess !== null)
    throw faultProblem(
      'body',
      '',
      'too_large',
      `Would read some ${excess.rows} rows of ${hosts} hosts, and ${MAX_ROWS} are allowed: at most ${excess.hostsAllowed} hosts for this range and step. Choose fewer hosts, a shorter range, or a step of whole hours or days.`,
    );
  const groups = new Set(members.map(({ group }) => group.key)).size;
  const answered = Math.min(groups, top ?? groups);
  const steps = Math.max(0, Math.ceil((to - from) / plan.stepMs));
  if (answered * steps <= MAX_ANSWERED) return;
  const most = Math.max(1, Math.floor(MAX_ANSWERED / steps));
  throw faultProblem(
    'body',
    top === null ? '/top' : '/step',
    'too_large',
    `Would answer ${answered} groups of ${steps} points, and ${MAX_ANSWERED} points are allowed: at most ${most} groups for this range and step.`,
  );
}
