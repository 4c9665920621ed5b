import { type Fault, ProblemError, validationProblem } from '@tidewatch/contracts/problems/problem';
import type { RuleChannels } from '@tidewatch/contracts/rules/channel-warnings';
import { type Rule, type RuleDefinition, rulesQuerySchema } from '@tidewatch/contracts/rules/rule';
import { applyRulePatch, readRuleInput } from '@tidewatch/contracts/rules/rule-input';
import type { RULE_ROUTES } from '@tidewatch/contracts/rules/rule-routes';
import { ruleExportQuerySchema } from '@tidewatch/contracts/rules/rule-set';
import type { Transaction } from '@tidewatch/database/connection';
import { readKnownChannels } from '@tidewatch/store/channels/list';
import { readRule, readRuleRow } from '@tidewatch/store/rules/detail';
import { listRules, RULE_ORDERS, readAllRules } from '@tidewatch/store/rules/list';
import { metricWarnings } from '@tidewatch/store/rules/metric-warnings';
import { type RuleRow, ruleAnswer } from '@tidewatch/store/rules/row';
import { changedRule, findNamesake, lockRules, newRule, writeRules } from '@tidewatch/store/rules/write';
import type { Call } from '../http/call.ts';
import { requireMatch, sendTagged } from '../http/entity-tag.ts';
import type { Exporter } from '../http/export.ts';
import { type List, sendList } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { answerObject, found } from '../http/object-answer.ts';
import { queryOf } from '../http/query.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createPreviewHandler } from './preview-route.ts';
import { EXPORT_TYPES, exportDocument } from './rule-export.ts';
import { ruleWriteOf } from './rule-write.ts';
import { createThresholdsHandler } from './thresholds-route.ts';

const LIST: List<keyof typeof RULE_ORDERS> = {
  noun: 'rules',
  orders: RULE_ORDERS,
  usual: { field: 'created_at', descending: false },
};

type RuleHandlers = Omit<Handlers<typeof RULE_ROUTES>, 'applyRules' | 'installStarterRules'>;

/** The routes of the list, its export, single rules and their preview. */
export function createRuleHandlers(options: QueryApiOptions, exporter: Exporter): RuleHandlers {
  const { sql, clock } = options;

  return {
    async listRules(call) {
      if (Object.hasOwn(call.request.query, 'format')) return exportRules(call);
      const query = queryOf(call.request, rulesQuerySchema);
      await sendList(call, LIST, query, (window, order) =>
        listRules(sql, call.organizationId, query, order, window, clock()),
      );
    },

    async createRule(call) {
      const body = await call.json();
      const write = ruleWriteOf(call, options);
      const rule = await sql.begin(async (tx): Promise<Rule> => {
        await lockRules(tx, write.organizationId);
        const channels = await readKnownChannels(tx, write.organizationId);
        const row = newRule(write, definitionOf(readRuleInput(body, channels.ids)));
        await refuseNamesake(tx, write.organizationId, row);
        await writeRules(tx, write, { created: [row] });
        return answerOf(tx, write.organizationId, row, channels);
      });
      call.response.location(pathOf('getRule', rule.id));
      sendTagged(call.request, call.response, rule, rule.version);
    },

    previewRule: createPreviewHandler(options),

    listRuleThresholds: createThresholdsHandler(options),

    getRule: answerObject(
      ({ organizationId }, id) => readRule(sql, organizationId, id),
      ({ version }) => version,
    ),

    async updateRule(call) {
      const write = ruleWriteOf(call, options);
      const { id } = call;
      const patch = await call.json();
      const rule = await sql.begin(async (tx): Promise<Rule> => {
        await lockRules(tx, write.organizationId);
        const row = found(await readRuleRow(tx, write.organizationId, id, { lock: true }));
        requireMatch(call.request, row.version);
        const channels = await readKnownChannels(tx, write.organizationId);
        // A rule may keep a channel that was deleted after the rule named it.
        const known = new Set([...channels.ids, ...row.definition.channels]);
        const definition = definitionOf(applyRulePatch(row.definition, patch, known));
        const changed = changedRule(write, row, definition);
        if (changed === null) return answerOf(tx, write.organizationId, row, channels);
        await refuseNamesake(tx, write.organizationId, changed);
        await writeRules(tx, write, { updated: [changed] });
        return answerOf(tx, write.organizationId, changed, channels);
      });
      sendTagged(call.request, call.response, rule, rule.version);
    },

    async deleteRule(call) {
      const write = ruleWriteOf(call, options);
      const { id } = call;
      await sql.begin(async (tx) => {
        await lockRules(tx, write.organizationId);
        const row = found(await readRuleRow(tx, write.organizationId, id, { lock: true }));
        requireMatch(call.request, row.version);
        await writeRules(tx, write, { deleted: [row] });
      });
    },
  };

  async function exportRules({
    request,
    response,
    organizationId,
  }: Pick<Call, 'request' | 'response' | 'organizationId'>): Promise<void> {
    const { format } = queryOf(request, ruleExportQuerySchema);
    const portions = readAllRules(sql, organizationId);
    await exporter.sendPieces(response, EXPORT_TYPES[format], exportDocument(portions, format));
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

/** Throws 409 if another rule has the external id, because a rule set identifies rules by external ids. */
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
