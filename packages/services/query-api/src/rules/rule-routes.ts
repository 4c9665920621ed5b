import {
  type Rule,
  type RuleChannels,
  type RuleDefinition,
  ruleSchema,
  rulesQuerySchema,
} from '@tidewatch/contracts/rules/rule';
import { applyRulePatch, readRuleInput } from '@tidewatch/contracts/rules/rule-input';
import { ruleExportQuerySchema } from '@tidewatch/contracts/rules/rule-set';
import { pickFields } from '@tidewatch/contracts/values/fields';
import { type Fault, ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { readKnownChannels } from '@tidewatch/store/channels/list';
import type { Transaction } from '@tidewatch/store/database/connection';
import { readRule, readRuleRow } from '@tidewatch/store/rules/detail';
import { listRules, RULE_ORDERS, readAllRules } from '@tidewatch/store/rules/list';
import { metricWarnings } from '@tidewatch/store/rules/metric-warnings';
import { type RuleRow, ruleAnswer } from '@tidewatch/store/rules/row';
import {
  changedRule,
  findNamesake,
  lockRules,
  newRule,
  type RuleWrite,
  writeRules,
} from '@tidewatch/store/rules/write';
import type { Request, Response } from 'express';
import { requireMatch, sendTagged } from '../http/entity-tag.ts';
import type { Exporter } from '../http/export.ts';
import { readJson } from '../http/json-body.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { auditTrailOf, fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createPreviewHandler } from './preview-route.ts';
import { EXPORT_TYPES, exportDocument } from './rule-export.ts';
import { createThresholdsHandler } from './thresholds-route.ts';

const LIST: List<keyof typeof RULE_ORDERS> = {
  noun: 'rules',
  orders: RULE_ORDERS,
  usual: { field: 'created_at', descending: false },
};

/** The routes of the list, its export, single rules and their preview. */
export function createRuleHandlers(options: QueryApiOptions, exporter: Exporter): Handlers {
  const { sql, clock, newId, config } = options;

  return {
    async listRules(request, response) {
      if (Object.hasOwn(request.query, 'format')) return exportRules(request, response);
      const query = queryOf(request, rulesQuerySchema);
      await answerList(request, response, LIST, query, (window, order) =>
        listRules(sql, organizationOf(response), query, order, window),
      );
    },

    async createRule(request, response) {
      const body = await readJson(request, ['application/json']);
      const write = writeOf(request, response);
      const rule = await sql.begin(async (tx): Promise<Rule> => {
        await lockRules(tx, write.organizationId);
        const channels = await readKnownChannels(tx, write.organizationId);
        const row = newRule(write, definitionOf(readRuleInput(body, channels.ids)));
        await refuseNamesake(tx, write.organizationId, row);
        await writeRules(tx, write, { created: [row] });
        return answerOf(tx, write.organizationId, row, channels);
      });
      response.location(pathOf('getRule', rule.id));
      sendTagged(request, response, rule, rule.version);
    },

    previewRule: createPreviewHandler(options),

    listRuleThresholds: createThresholdsHandler(options),

    async getRule(request, response) {
      const fields = fieldsOf(request, ruleSchema.shape);
      const rule = found(await readRule(sql, organizationOf(response), idOf(request, 'rul')));
      sendTagged(request, response, pickFields(rule, fields), rule.version);
    },

    async updateRule(request, response) {
      const write = writeOf(request, response);
      const id = idOf(request, 'rul');
      const patch = await readJson(request, ['application/json', 'application/merge-patch+json']);
      const rule = await sql.begin(async (tx): Promise<Rule> => {
        await lockRules(tx, write.organizationId);
        const row = found(await readRuleRow(tx, write.organizationId, id, { lock: true }));
        requireMatch(request, row.version);
        const channels = await readKnownChannels(tx, write.organizationId);
        // A rule may keep naming a channel that was deleted since.
        const known = new Set([...channels.ids, ...row.definition.channels]);
        const definition = definitionOf(applyRulePatch(row.definition, patch, known));
        const changed = changedRule(write, row, definition);
        if (changed === null) return answerOf(tx, write.organizationId, row, channels);
        await refuseNamesake(tx, write.organizationId, changed);
        await writeRules(tx, write, { updated: [changed] });
        return answerOf(tx, write.organizationId, changed, channels);
      });
      sendTagged(request, response, rule, rule.version);
    },

    async deleteRule(request, response) {
      const write = writeOf(request, response);
      const id = idOf(request, 'rul');
      await sql.begin(async (tx) => {
        await lockRules(tx, write.organizationId);
        const row = found(await readRuleRow(tx, write.organizationId, id, { lock: true }));
        requireMatch(request, row.version);
        await writeRules(tx, write, { deleted: [row] });
      });
      response.end();
    },
  };

  async function exportRules(request: Request, response: Response): Promise<void> {
    const { format } = queryOf(request, ruleExportQuerySchema);
    const portions = readAllRules(sql, organizationOf(response));
    await exporter.sendPieces(response, EXPORT_TYPES[format], exportDocument(portions, format));
  }

  function writeOf(request: Request, response: Response): RuleWrite {
    const when = { newId, now: clock() };
    const audit = auditTrailOf(request, response, { ...when, config });
    return { organizationId: organizationOf(response), ...when, audit, maxRules: config.limits.rulesLimit };
  }
}

async function answerOf(
  tx: Transaction,
  organizationId: string,
  row: RuleRow,
  channels: RuleChannels,
): Promise<Rule> {
  return ruleAnswer(row, channels, await metricWarnings(tx, organizationId, [row.definition.metric]));
}

/** Two rules with one external id could not both be what a set of rules means: 409. */
async function refuseNamesake(tx: Transaction, organizationId: string, row: RuleRow): Promise<void> {
  const namesake = await findNamesake(tx, organizationId, row.id, row.definition.external_id);
  if (namesake === null) return;
  const message = `Is that of the rule ${namesake} already.`;
  throw new ProblemError('conflict', {
    errors: [{ in: 'body', path: '/external_id', code: 'duplicate', message }],
  });
}

function definitionOf(read: { rule: RuleDefinition } | { errors: Fault[] }): RuleDefinition {
  if ('errors' in read) throw validationProblem(read.errors);
  return read.rule;
}
