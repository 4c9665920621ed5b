import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '@tidewatch/contracts/problem';
import { validationProblem } from '@tidewatch/contracts/problem';
import { type Rule, type RuleDefinition, rulesQuerySchema } from '@tidewatch/contracts/rule';
import { applyRulePatch, readRuleInput } from '@tidewatch/contracts/rule-input';
import { readKnownChannels } from '@tidewatch/store/channels/list';
import { readRule, readRuleRow } from '@tidewatch/store/queries/rule-detail';
import { listRules } from '@tidewatch/store/queries/rule-list';
import { ruleAnswer } from '@tidewatch/store/queries/rule-row';
import { deleteRule, insertRule, updateRule } from '@tidewatch/store/rules/write';
import type { Request, Response, Router } from 'express';
import { requireMatch, sendTagged } from './entity-tag.ts';
import { readJson } from './json-body.ts';
import { paginate, readWindow } from './list-page.ts';
import { found, idOf, organizationOf, queryOf } from './request.ts';
import type { QueryApiOptions } from './service.ts';

const RULES = '/api/v1/alerts/rules';

/** `/api/v1/alerts/rules` and what lies below it. */
export function addRuleRoutes(router: Router, { sql, authenticate, clock, newId }: QueryApiOptions): void {
  router.get(RULES, authenticate('read'), async (request: Request, response: Response) => {
    const page = queryOf(request, rulesQuerySchema);
    const context = { list: 'rules', filters: {}, shape: ['number', 'string'] as const };
    const window = readWindow<readonly [number, string]>(page, context);
    const part = await listRules(sql, organizationOf(response), window);
    const { rows, pagination } = paginate(part, window, context, (rule) => [
      Date.parse(rule.created_at),
      rule.id,
    ]);
    response.json({ rules: rows, pagination });
  });

  router.post(RULES, authenticate('write'), async (request: Request, response: Response) => {
    const body = await readJson(request, ['application/json']);
    const write = writeOf(response, newId('rul'));
    const rule = await sql.begin(async (tx): Promise<Rule> => {
      const channels = await readKnownChannels(tx, write.organizationId);
      const definition = definitionOf(readRuleInput(body, channels.ids));
      return ruleAnswer(await insertRule(tx, write, definition), channels);
    });
    response.status(201).location(`${RULES}/${write.id}`);
    sendTagged(request, response, rule, rule.version);
  });

  router.get(`${RULES}/:id`, authenticate('read'), async (request: Request, response: Response) => {
    const rule = found(await readRule(sql, organizationOf(response), idOf(request, 'rul')));
    sendTagged(request, response, rule, rule.version);
  });

  router.patch(`${RULES}/:id`, authenticate('write'), async (request: Request, response: Response) => {
    const write = writeOf(response, idOf(request, 'rul'));
    const patch = await readJson(request, ['application/json', 'application/merge-patch+json']);
    const rule = await sql.begin(async (tx): Promise<Rule> => {
      const row = found(await readRuleRow(tx, write.organizationId, write.id, { lock: true }));
      requireMatch(request, row.version);
      const channels = await readKnownChannels(tx, write.organizationId);
      // What it names already it may go on naming, though the channel was deleted since.
      const known = new Set([...channels.ids, ...row.definition.channels]);
      const definition = definitionOf(applyRulePatch(row.definition, patch, known));
      const unchanged = isDeepStrictEqual(definition, row.definition);
      return ruleAnswer(unchanged ? row : await updateRule(tx, write, row, definition), channels);
    });
    sendTagged(request, response, rule, rule.version);
  });

  router.delete(`${RULES}/:id`, authenticate('write'), async (request: Request, response: Response) => {
    const write = writeOf(response, idOf(request, 'rul'));
    await sql.begin(async (tx) => {
      const row = found(await readRuleRow(tx, write.organizationId, write.id, { lock: true }));
      requireMatch(request, row.version);
      await deleteRule(tx, write, row);
    });
    response.status(204).end();
  });

  function writeOf(response: Response, id: string) {
    return { organizationId: organizationOf(response), id, eventId: newId('evt'), now: clock() };
  }
}

function definitionOf(read: { rule: RuleDefinition } | { errors: Fault[] }): RuleDefinition {
  if ('errors' in read) throw validationProblem(read.errors);
  return read.rule;
}
