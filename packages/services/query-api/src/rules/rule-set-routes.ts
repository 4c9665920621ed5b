import { setImmediate } from 'node:timers/promises';
import { readRuleSet } from '@tidewatch/contracts/rules/rule-set';
import { validationProblem } from '@tidewatch/contracts/values/problem';
import { readNameableChannels } from '@tidewatch/store/channels/list';
import { applyRuleSet } from '@tidewatch/store/rules/apply-set';
import { installStarterSet } from '@tidewatch/store/rules/starter-set';
import type { RuleWrite } from '@tidewatch/store/rules/write';
import type { Request, Response } from 'express';
import type { Handlers } from '../http/mount-routes.ts';
import { auditTrailOf, organizationOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createRuleSetReader } from './rule-set-body.ts';

/** What concerns many rules at once: applying a set of them, and installing the one that comes along. */
export function createRuleSetHandlers({ sql, clock, newId, config, metrics }: QueryApiOptions): Handlers {
  const readRuleSetBody = createRuleSetReader(metrics);

  return {
    async applyRules(request, response) {
      const write = writeOf(request, response);
      const body = await readRuleSetBody(request, response);
      const knownChannels = await readNameableChannels(sql, write.organizationId);
      const read = await readRuleSet(body, { knownChannels, pause: setImmediate });
      if ('errors' in read) throw validationProblem(read.errors);
      response.json(await sql.begin((tx) => applyRuleSet(tx, write, read.set)));
    },

    async installStarterRules(request, response) {
      response.json(await sql.begin((tx) => installStarterSet(tx, writeOf(request, response))));
    },
  };

  function writeOf(request: Request, response: Response): RuleWrite {
    const when = { newId, now: clock() };
    const audit = auditTrailOf(request, response, { ...when, config });
    return { organizationId: organizationOf(response), ...when, audit, maxRules: config.limits.rulesLimit };
  }
}
