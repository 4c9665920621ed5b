import { z } from 'zod';
import { answered, created, json, mergePatch, versioned } from '../document/answers.ts';
import { deletesVersion, readsById } from '../document/operations.ts';
import {
  defineRoutes,
  etagHeaders,
  idParameter,
  ifMatchHeader,
  ifNoneMatchHeader,
  NOT_MODIFIED,
  PROBLEMS_OF_BODIES,
} from '../document/route.ts';
import { previewInputSchema, previewSchema } from './preview.ts';
import { ruleSchema, rulesPageSchema, rulesQuerySchema } from './rule.ts';
import { ruleInputSchema, rulePatchSchema } from './rule-input.ts';
import { ruleExportQuerySchema, ruleExportSchema, ruleSetChangesSchema, ruleSetSchema } from './rule-set.ts';
import { ruleThresholdsPageSchema, ruleThresholdsQuerySchema } from './rule-thresholds.ts';

const YAML_TYPE = 'application/yaml';

const RULE = {
  name: 'CPU is busy',
  metric: 'cpu_percent',
  condition: 'greater_than',
  threshold: 90,
  duration_minutes: 5,
  severity: 'warning',
  channels: ['slack', 'email'],
};

const exportFormat = ruleExportQuerySchema.shape.format;

const SET_AS_JSON = {
  set: {
    summary: 'One rule; no other that has an external id stays',
    value: { rules: [{ external_id: 'cpu-high', ...RULE }], prune: true },
  },
};

const SET_AS_YAML = {
  set: {
    summary: 'The same rule in YAML',
    value:
      'rules:\n  - external_id: cpu-high\n    name: CPU is busy\n    metric: cpu_percent\n    condition: greater_than\n    threshold: 90\n    channels: [slack, email]\n',
  },
};

/** The routes of rules: single rules, rule sets, and previews. */
export const RULE_ROUTES = defineRoutes('Alert rules', [
  {
    operationId: 'listRules',
    method: 'get',
    path: '/api/v1/alerts/rules',
    summary: 'List alert rules, or export them',
    description:
      'Rules by creation, oldest first. With `format`, not by `Accept`, all of them as the document that `PUT` takes: unpaged, without what the server sets and what is as if it were left out.',
    scope: 'read',
    query: z.object({
      ...rulesQuerySchema.shape,
      format: exportFormat.optional().meta(exportFormat.meta() ?? {}),
    }),
    headers: ifNoneMatchHeader,
    answers: [
      {
        status: 200,
        description: 'A page of rules, or with `format` the whole set.',
        content: [
          json(z.union([rulesPageSchema, ruleExportSchema])),
          { type: YAML_TYPE, schema: ruleExportSchema, examples: SET_AS_YAML },
        ],
        headers: etagHeaders,
      },
      NOT_MODIFIED,
    ],
    problems: ['validation_failed'],
  },
  {
    operationId: 'applyRules',
    method: 'put',
    path: '/api/v1/alerts/rules',
    summary: 'Make the alert rules those of a document',
    description:
      'Creates, updates and with `prune` deletes rules, all or none, known by their external ids; sending the same again changes nothing. At most 1,000 rules and 1 MiB. In YAML at most 1,000 aliases are followed, and tags and merge keys are refused.',
    scope: 'write',
    body: [
      json(ruleSetSchema, SET_AS_JSON),
      { type: YAML_TYPE, schema: ruleSetSchema, examples: SET_AS_YAML },
    ],
    answers: [answered('What changed.', ruleSetChangesSchema)],
    problems: [...PROBLEMS_OF_BODIES, 'unsupported'],
  },
  {
    operationId: 'installStarterRules',
    method: 'post',
    path: '/api/v1/alerts/rules/starter',
    summary: 'Install the starter set of alert rules',
    description:
      'Creates those that are not there, deleted ones too; one that is there stays as it is. Their external ids begin with `starter/`.',
    scope: 'write',
    answers: [
      answered(
        'What was created; the others are `unchanged`, whatever they were edited to.',
        ruleSetChangesSchema,
      ),
    ],
    problems: [],
  },
  {
    operationId: 'createRule',
    method: 'post',
    path: '/api/v1/alerts/rules',
    summary: 'Create an alert rule',
    description:
      'The rule evaluates every payload that is accepted after the answer. Unknown fields are refused.',
    scope: 'write',
    body: [json(ruleInputSchema, { cpu: { summary: 'CPU above 90 percent', value: RULE } })],
    answers: [
      created(
        'The rule as it is stored.',
        ruleSchema,
        'getRule',
        'updateRule',
        'deleteRule',
        'listRuleThresholds',
      ),
    ],
    problems: [...PROBLEMS_OF_BODIES, 'conflict', 'unsupported'],
  },
  {
    operationId: 'previewRule',
    method: 'post',
    path: '/api/v1/alerts/rules/preview',
    summary: 'Try a rule on what is stored',
    description:
      'Evaluates stored samples, or their minutes where samples are no longer kept for the whole range, as the rule would have evaluated them live. Nothing is stored. Rules on host.silent_minutes and policies for data that stay away cannot be tried. An organization has one preview at a time.',
    scope: 'read',
    body: [
      json(previewInputSchema, {
        cpu: {
          summary: 'CPU above 90 percent, beside other thresholds and durations',
          value: { rule: RULE, thresholds: [80, 90], durations: [1, 5] },
        },
      }),
    ],
    answers: [answered('What the rule would have done.', previewSchema)],
    problems: [...PROBLEMS_OF_BODIES, 'unsupported', 'preview_running'],
  },
  {
    ...readsById('rul', 'rule', 'The rule.', ruleSchema),
    operationId: 'getRule',
    path: '/api/v1/alerts/rules/{id}',
    summary: 'Read an alert rule',
  },
  {
    operationId: 'listRuleThresholds',
    method: 'get',
    path: '/api/v1/alerts/rules/{id}/thresholds',
    summary: 'List the terms by which a rule evaluates each host',
    description:
      'The living services by name, each with the terms that apply to it now: those of the first override that matches it, else those of the rule.',
    scope: 'read',
    parameters: idParameter('rul', 'rule'),
    query: ruleThresholdsQuerySchema,
    answers: [answered('A page of hosts.', ruleThresholdsPageSchema)],
    problems: ['not_found', 'validation_failed'],
  },
  {
    operationId: 'updateRule',
    method: 'patch',
    path: '/api/v1/alerts/rules/{id}',
    summary: 'Change an alert rule',
    description: 'A JSON merge patch (RFC 7396). Null sets an optional field back to its default.',
    scope: 'write',
    parameters: idParameter('rul', 'rule'),
    headers: ifMatchHeader,
    body: mergePatch(rulePatchSchema),
    answers: [versioned('The rule as it is stored now.', ruleSchema)],
    problems: [...PROBLEMS_OF_BODIES, 'not_found', 'conflict', 'precondition_failed', 'unsupported'],
  },
  {
    ...deletesVersion('rul', 'rule', 'The rule is deleted.'),
    operationId: 'deleteRule',
    path: '/api/v1/alerts/rules/{id}',
    summary: 'Delete an alert rule',
    description: 'Its active alerts resolve as `rule_deleted`.',
  },
]);
