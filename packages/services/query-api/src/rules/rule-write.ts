import type { RuleWrite } from '@tidewatch/store/rules/write';
import type { Call } from '../http/call.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The organization, time and limits of a change of rules. */
export function ruleWriteOf(call: Pick<Call, 'change'>, options: QueryApiOptions): RuleWrite {
  const { newId, config } = options;
  return { ...call.change(options), newId, maxRules: config.limits.rulesLimit };
}
