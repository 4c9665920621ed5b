import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@tidewatch/api-client/schema';
import { api } from '../../api/client.ts';
import { visibleText } from '../../components/visible-text.ts';
import type { ChartThreshold } from '../lanes/thresholds.ts';

type Rule = Schema<'Rule'>;
type Terms = NonNullable<Schema<'HostTerms'>['terms']>;

/** A rule that evaluates a host, with the terms that apply to it. */
export interface HostRule {
  rule: Rule;
  terms: Terms;
  isOverridden: boolean;
}

const PAGE = 100;
/** More rules of one host are listed by the page of rules. */
const MAX_PAGES = 10;
const STALE_MS = 60_000;

/** The enabled rules that evaluate a host, with its own terms as the API decides them. */
export function useHostRules(serviceId: string, host: string) {
  return useQuery({
    queryKey: ['rules', 'of host', serviceId],
    staleTime: STALE_MS,
    queryFn: async () => {
      const rules = await enabledRules();
      const found = await Promise.all(rules.map((rule) => termsOf(rule, serviceId, host)));
      return found.filter((each) => each !== undefined);
    },
  });
}

async function enabledRules(): Promise<Rule[]> {
  const rules: Rule[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { enabled: true, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const answer = (await api.get('/api/v1/alerts/rules', { params: { query } })) as Schema<'RulesPage'>;
    rules.push(...answer.rules);
    if (answer.pagination.next_cursor === null) break;
    cursor = answer.pagination.next_cursor;
  }
  return rules;
}

/** A rule without scope and overrides applies as it is; for others the API has the terms of the host. */
async function termsOf(rule: Rule, serviceId: string, host: string): Promise<HostRule | undefined> {
  const isForAll = rule.overrides.length === 0 && Object.keys(rule.scope).length === 0;
  if (isForAll) return { rule, terms: rule as Terms, isOverridden: false };
  const { thresholds } = await api.get('/api/v1/alerts/rules/{id}/thresholds', {
    params: { path: { id: rule.id }, query: { q: host, limit: PAGE } },
  });
  const own = thresholds.find((each) => each.service_id === serviceId);
  if (own?.terms == null || !own.evaluated) return undefined;
  return { rule, terms: own.terms, isOverridden: own.overridden };
}

/** What values of a rule can be compared with a chart of the metric itself. */
const COMPARABLE = ['average', 'minimum', 'maximum'];

/** The thresholds of rules on a metric, as a chart of that metric shows them. */
export function thresholdsOf(rules: readonly HostRule[], metric: string): ChartThreshold[] {
  return rules.flatMap(({ rule, terms }) => {
    const { transform, condition } = rule;
    if (rule.metric !== metric || (transform !== null && !COMPARABLE.includes(transform.kind))) return [];
    const levels = terms.thresholds ?? [{ ...terms, threshold: terms.threshold ?? Number.NaN }];
    return levels
      .filter(({ threshold }) => !Number.isNaN(threshold))
      .map((level) => ({
        ruleId: rule.id,
        ruleName: visibleText(rule.name),
        severity: level.severity,
        condition,
        threshold: level.threshold,
        thresholdMax: level.threshold_max ?? null,
        recoveryThreshold: level.recovery_threshold ?? null,
        durationMinutes: level.duration_minutes ?? terms.duration_minutes,
      }));
  });
}
