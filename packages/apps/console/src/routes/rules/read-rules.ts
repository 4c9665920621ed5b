import { pages } from '@tidewatch/api-client/pages';
import { problemOf } from '@tidewatch/api-client/problem';
import type { Rule } from '@tidewatch/contracts/rules/rule';
import { api } from '../../api/client.ts';

export interface RulesFilter {
  q?: string | undefined;
  severity?: 'critical' | 'warning' | 'info' | undefined;
}

/** All rules that match, in the order of their creation: sorting by alerts needs every one. */
export async function readRules({ q, severity }: RulesFilter): Promise<Rule[]> {
  const query = { limit: 100, ...(q && { q }), ...(severity && { severity }) };
  const rules: Rule[] = [];
  for await (const { entries } of pages(api, '/api/v1/alerts/rules', 'rules', query))
    rules.push(...(entries as Rule[]));
  return rules;
}

export interface VersionedRule {
  rule: Rule;
  /** What a change must name, so that it overwrites nothing that was not seen. */
  etag: string;
}

/** A rule with its version. */
export async function readRule(id: string, signal?: AbortSignal): Promise<VersionedRule> {
  const { data, error, response } = await api.raw.GET('/api/v1/alerts/rules/{id}', {
    params: { path: { id } },
    ...(signal && { signal }),
  });
  if (data === undefined) throw problemOf(response, JSON.stringify(error ?? ''), Date.now());
  return { rule: data as Rule, etag: response.headers.get('etag') ?? '*' };
}
