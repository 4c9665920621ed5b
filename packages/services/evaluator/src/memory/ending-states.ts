import type { Sql } from '@tidewatch/store/connection';
import type { ServiceHealthRow } from '@tidewatch/store/health/read';
import { readStateKeys } from '@tidewatch/store/rule-states/read';
import type { RuleIndex } from '../rules/rule-index.ts';
import { rulesOf } from './compile-streams.ts';
import { loadedKey, metricOfKey } from './stream-name.ts';

/** Those of the services that have a state which its rule does not want any more, or of which that cannot be told. */
export async function findWithEndingStates(
  sql: Sql,
  services: readonly ServiceHealthRow[],
  rules: RuleIndex,
): Promise<Set<string>> {
  const rows = new Map(services.map((row) => [row.serviceId, row]));
  const keys = services.map(({ organizationId, serviceId }) => ({ org: organizationId, id: serviceId }));
  const ending = new Set<string>();
  for (const { serviceId, ruleIds, streams } of await readStateKeys(sql, keys)) {
    const service = rows.get(serviceId) as ServiceHealthRow;
    const isWanted = (ruleId: string, stream: string | null) => {
      if (stream === null) return false;
      const key = loadedKey(stream);
      return rulesOf(service, rules, { metric: metricOfKey(key), key }).rules.some(({ id }) => id === ruleId);
    };
    if (!ruleIds.every((ruleId, place) => isWanted(ruleId, streams[place] ?? null))) ending.add(serviceId);
  }
  return ending;
}
