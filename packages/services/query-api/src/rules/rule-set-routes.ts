import { setImmediate } from 'node:timers/promises';
import { validationProblem } from '@tidewatch/contracts/problems/problem';
import type { RULE_ROUTES } from '@tidewatch/contracts/rules/rule-routes';
import { readRuleSet } from '@tidewatch/contracts/rules/rule-set';
import { readNameableChannels } from '@tidewatch/store/channels/list';
import { applyRuleSet } from '@tidewatch/store/rules/apply-set';
import { installStarterSet } from '@tidewatch/store/rules/starter-set';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createRuleSetReader } from './rule-set-body.ts';
import { ruleWriteOf } from './rule-write.ts';

/** Handlers that apply a set of rules at once or install the set of rules that ships with the product. */
export function createRuleSetHandlers(
  options: QueryApiOptions,
): Pick<Handlers<typeof RULE_ROUTES>, 'applyRules' | 'installStarterRules'> {
  const { sql, metrics } = options;
  const readRuleSetBody = createRuleSetReader(metrics);

  return {
    async applyRules(call) {
      const { request, response } = call;
      const write = ruleWriteOf(call, options);
      const body = await readRuleSetBody(request, response);
      const knownChannels = await readNameableChannels(sql, write.organizationId);
      const read = await readRuleSet(body, { knownChannels, pause: setImmediate });
      if ('errors' in read) throw validationProblem(read.errors);
      response.json(await sql.begin((tx) => applyRuleSet(tx, write, read.set)));
    },

    async installStarterRules(call) {
      const installed = await sql.begin((tx) => installStarterSet(tx, ruleWriteOf(call, options)));
      call.response.json(installed);
    },
  };
}
