import type { JsonSchema } from './json-schema.ts';
import type { Tool } from './tool.ts';

const MATCHERS: JsonSchema = {
  type: 'object',
  description:
    'Which alerts: each member that is given must match, and at least one must be. Such as {"hosts": ["db-*"], "tags": {"role": ["api"]}, "severities": ["warning"], "rule_ids": ["rul_…"], "subjects": [{"kind": "part", "name": "filesystem:/var*"}]}.',
};

/** Tools that read, create and end silences, and record what people did. */
export const SILENCE_TOOLS: readonly Tool[] = [
  {
    name: 'list_silences',
    title: 'List silences',
    description: 'Silences, with which alerts they mute, from when until when, and why.',
    operationId: 'listSilences',
    query: ['status', 'at', 'sort'],
    list: 'silences',
  },
  {
    name: 'preview_silence',
    title: 'See what a silence would mute',
    description:
      'Hosts and active alerts that a silence would match. Stores nothing: do this before create_silence.',
    operationId: 'previewSilence',
    body: ['matchers'],
    schemas: { matchers: MATCHERS },
    shows: ({ services, alerts, ...others }) => ({
      ...others,
      services: { total: services.total, list: services.list.slice(0, 20) },
      alerts: { ...alerts, list: alerts.list.slice(0, 10) },
    }),
  },
  {
    name: 'create_silence',
    title: 'Create a silence',
    description:
      'Mutes notifications of the alerts that it matches, from one time until another. Say why in the comment.',
    operationId: 'createSilence',
    body: ['matchers', 'from', 'until', 'recurrence', 'timezone', 'comment'],
    schemas: { matchers: MATCHERS },
    effect: { isDestructive: false, isIdempotent: false },
  },
  {
    name: 'end_silence',
    title: 'End a silence',
    description: 'Ends a silence now. What it withheld is notified where the alert is still active.',
    operationId: 'deleteSilence',
    id: 'silence_id',
    effect: { isDestructive: true, isIdempotent: true },
  },
  {
    name: 'create_marker',
    title: 'Record a change',
    description:
      'Records something that people or their tools did, such as a deployment, which charts and investigations then show.',
    operationId: 'createMarker',
    body: ['title', 'at', 'selector', 'tags'],
    effect: { isDestructive: false, isIdempotent: false },
  },
];
