import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import type { RULE_ROUTES } from '@tidewatch/contracts/rules/rule-routes';
import type { HostTerms } from '@tidewatch/contracts/rules/rule-thresholds';
import type { Service } from '@tidewatch/contracts/services/service';
import { type CompiledRule, compileRule } from '@tidewatch/domain/rules/rule';
import { readRuleRow } from '@tidewatch/store/rules/detail';
import { listServices, SERVICE_ORDERS } from '@tidewatch/store/services/list';
import { paginate, readWindow } from '../http/list-page.ts';
import type { HandlerOf } from '../http/mount-routes.ts';
import { found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const BY_NAME = { ...SERVICE_ORDERS.name, descending: false };

/** Handler of `GET /api/v1/alerts/rules/:id/thresholds`; overrides are selected by the same code as in the evaluator. */
export function createThresholdsHandler({
  sql,
}: Pick<QueryApiOptions, 'sql'>): HandlerOf<typeof RULE_ROUTES, 'listRuleThresholds'> {
  return async ({ id, query, organizationId, response }) => {
    const { limit, offset, cursor, ...filter } = query;
    const context = {
      list: 'rule-thresholds',
      filters: { id, ...filter },
      shape: ['string', 'string'] as const,
    };
    const window = readWindow<readonly [string, string]>({ limit, offset, cursor }, context);
    const { version, definition } = found(await readRuleRow(sql, organizationId, id));
    const rule = compileRule({ id, organizationId, version, definition });
    const part = await listServices(sql, organizationId, filter, BY_NAME, window);
    const { rows, pagination } = paginate(part, window, context, (service) => [service.name, service.id]);
    response.json({ thresholds: rows.map((service) => termsOf(rule, service)), pagination });
  };
}

function termsOf(rule: CompiledRule, { id, name, tags }: Service): HostTerms {
  const own = rule.forHost(name, tags);
  return {
    service_id: id,
    host: name,
    evaluated: own !== null && rule.definition.enabled,
    overridden: rule.isOverriddenFor(name, tags),
    terms: own === null ? null : pickTerms(own.definition),
  };
}

function pickTerms(definition: RuleDefinition) {
  const { severity, threshold, threshold_max, recovery_threshold, duration_minutes, thresholds } = definition;
  return { severity, threshold, threshold_max, recovery_threshold, duration_minutes, thresholds };
}
