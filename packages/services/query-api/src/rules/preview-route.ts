import { faultProblem, ProblemError } from '@tidewatch/contracts/problems/problem';
import { MAX_PREVIEWED_ALERTS, type Preview, type PreviewInput } from '@tidewatch/contracts/rules/preview';
import type { RULE_ROUTES } from '@tidewatch/contracts/rules/rule-routes';
import { thresholdWarnings } from '@tidewatch/contracts/rules/threshold-warnings';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { candidatesOf } from '@tidewatch/domain/preview/candidates';
import { type PreviewPlan, planPreview } from '@tidewatch/domain/preview/range';
import { retainedTiers } from '@tidewatch/domain/rollup/buckets';
import { PreviewTooLargeError } from '@tidewatch/store/preview/effort';
import { previewRule } from '@tidewatch/store/preview/preview';
import { metricWarnings } from '@tidewatch/store/rules/metric-warnings';
import type { Response } from 'express';
import { clientGone } from '../http/client-gone.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/**
 * The max number of concurrent previews of a process, each of which needs a connection; other organizations wait for their
 * turn.
 */
const MAX_AT_ONCE = 2;
const MAX_WAIT_MS = 30_000;
/** The time limit of a preview, ms. */
const MAX_MS = 25_000;
const RETRY_AFTER_SECONDS = 2;
/** Previews that take longer than this are logged, ms. */
const SLOW_MS = 5_000;

/** Answers `POST /api/v1/alerts/rules/preview`. */
export function createPreviewHandler(options: QueryApiOptions): HandlerOf<typeof RULE_ROUTES, 'previewRule'> {
  const { clock, config, metrics, logger } = options;
  const share = new OrganizationShare({
    resource: 'previews',
    code: 'preview_running',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    metrics,
    capacity: MAX_AT_ONCE,
    maxPerOrganization: 1,
    maxWaitingPerOrganization: 1,
    maxWaitMs: MAX_WAIT_MS,
  });
  const asked = new Set<string>();
  const seconds = metrics.histogram('tidewatch_preview_seconds', 'Time that previews of rules took.', [
    'tier',
  ]);

  return async (call) => {
    const { organizationId, response } = call;
    const input = await call.body();
    const range = { from: input.from, to: input.to, now: clock(), retention: config.retention };
    const plan = planPreview(range);
    if (plan === null) throw emptyRange(input, range.now);
    if (asked.has(organizationId))
      throw new ProblemError('preview_running', { headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` } });
    asked.add(organizationId);
    try {
      const work = () => timed(() => preview(options, organizationId, input, plan, response), plan);
      response.json(await share.run(organizationId, clientGone(response), work));
    } finally {
      asked.delete(organizationId);
    }
  };

  async function timed<R>(work: () => Promise<R>, { tier }: PreviewPlan): Promise<R> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      const took = performance.now() - began;
      seconds.observe({ tier }, took / 1_000);
      if (took > SLOW_MS)
        logger.warn({ tier, ms: Math.round(took) }, 'slow query: a preview of a rule took long');
    }
  }
}

async function preview(
  { sql, clock, config }: QueryApiOptions,
  organizationId: string,
  { rule, thresholds, durations }: PreviewInput,
  plan: PreviewPlan,
  response: Response,
): Promise<Preview> {
  const { tier, from, to } = plan;
  const now = clock();
  const candidates = candidatesOf(rule, thresholds, durations);
  const stopped = new AbortController();
  const tooLong = setTimeout(() => stopped.abort(new PreviewTooLargeError(null)), MAX_MS);
  const signal = AbortSignal.any([stopped.signal, clientGone(response)]);
  try {
    const outcome = await previewRule(sql, {
      organizationId,
      rule,
      tier,
      from,
      to,
      maxAlerts: MAX_PREVIEWED_ALERTS,
      signal,
      candidates: candidates.map(({ definition }) => definition),
      retained: retainedTiers(now, config.retention),
    });
    const unsent = await metricWarnings(sql, organizationId, [rule.metric]);
    return {
      from: toIso(from),
      to: toIso(to),
      tier,
      approximate: tier !== 'raw',
      services_evaluated: outcome.services,
      alerts: outcome.alerts.map((alert) => ({
        service_id: alert.serviceId,
        host: alert.host,
        subject: alert.subject,
        severity: alert.severity,
        pending_since: toIso(alert.pendingSince),
        fired_at: toIso(alert.firedAt),
        resolved_at: alert.resolvedAt === null ? null : toIso(alert.resolvedAt),
        peak_value: alert.peakValue,
      })),
      alerts_total: outcome.total,
      curve: candidates.map(({ threshold, durationMinutes }, index) => {
        const alerts = outcome.fired[index] ?? 0;
        const perWeek = (alerts * 7 * DAY_MS) / (to - from);
        return {
          threshold,
          duration_minutes: durationMinutes,
          alerts,
          alerts_per_week: Number(perWeek.toPrecision(6)),
        };
      }),
      // Leaves out warnings about channels, because a preview notifies nobody.
      warnings: [...thresholdWarnings(rule), ...[...unsent.values()].map(({ warning }) => warning)],
    };
  } catch (error) {
    throw translate(error, plan);
  } finally {
    clearTimeout(tooLong);
  }
}

/** SQLSTATE of a statement that exceeded its timeout. */
const QUERY_CANCELED = '57014';

function translate(error: unknown, { from, to }: PreviewPlan): unknown {
  const isTooLarge = error instanceof PreviewTooLargeError;
  if (!isTooLarge && (error as { code?: unknown } | null)?.code !== QUERY_CANCELED) return error;
  const possible = isTooLarge ? error.from : null;
  const suggestion = possible !== null && possible > from ? possible : from + Math.ceil((to - from) / 2);
  const message = `Too many values may breach in this range: begin at ${toIso(suggestion)} or later, or narrow scope or thresholds.`;
  return faultProblem('body', '/from', 'too_much', message);
}

function emptyRange({ from, to }: PreviewInput, now: number): ProblemError {
  const late = from !== undefined && from >= Math.min(to ?? now, now);
  if (late && (to === undefined || to > now))
    return faultProblem('body', '/from', 'out_of_range', 'Must be before now.');
  const message = late ? 'Must be after from.' : 'Must lie within what is still kept.';
  return faultProblem('body', '/to', 'out_of_range', message);
}
