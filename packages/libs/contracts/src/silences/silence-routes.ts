import { answered, created, json, readable } from '../document/answers.ts';
import {
  defineRoutes,
  fieldsOnly,
  idParameter,
  ifMatchHeader,
  ifNoneMatchHeader,
  PROBLEMS_OF_BODIES,
} from '../document/route.ts';
import {
  SILENCE_EXAMPLE,
  silenceInputSchema,
  silenceSchema,
  silencesPageSchema,
  silencesQuerySchema,
} from './silence.ts';
import { silencePreviewInputSchema, silencePreviewSchema } from './silence-preview.ts';
import {
  MAX_WINDOW_DAYS,
  MAX_WINDOWS,
  silenceWindowsQuerySchema,
  silenceWindowsSchema,
} from './silence-windows.ts';

/** The routes of silences, which are created and ended, and never edited. */
export const SILENCE_ROUTES = defineRoutes([
  {
    operationId: 'listSilences',
    method: 'get',
    path: '/api/v1/silences',
    tag: 'Silences',
    summary: 'List silences',
    scope: 'read',
    query: silencesQuerySchema,
    headers: ifNoneMatchHeader,
    answers: readable('A page of silences.', silencesPageSchema),
    problems: ['validation_failed'],
  },
  {
    operationId: 'createSilence',
    method: 'post',
    path: '/api/v1/silences',
    tag: 'Silences',
    summary: 'Create a silence',
    description:
      'While it is active nothing that opens, escalates or repeats is notified of the alerts that it matches, whenever they began; one whose time is over is taken too, and its `status` says so. A resolution is notified whenever its firing was. ' +
      'Hosts that it matches by nothing but `hosts` and `tags` are in `maintenance` while it is active.',
    scope: 'write',
    body: [json(silenceInputSchema, { weekly: { summary: 'Each Sunday night', value: SILENCE_EXAMPLE } })],
    answers: [created('The silence as it is stored.', silenceSchema, 'getSilence', 'deleteSilence')],
    problems: [...PROBLEMS_OF_BODIES, 'unsupported'],
  },
  {
    operationId: 'previewSilence',
    method: 'post',
    path: '/api/v1/silences/preview',
    tag: 'Silences',
    summary: 'See what a silence would mute',
    description: 'Hosts and active alerts are matched as a silence matches them. Nothing is stored.',
    scope: 'read',
    body: [
      json(silencePreviewInputSchema, {
        hosts: { summary: 'Warnings of some hosts', value: { matchers: SILENCE_EXAMPLE.matchers } },
      }),
    ],
    answers: [answered('What it would mute.', silencePreviewSchema)],
    problems: [...PROBLEMS_OF_BODIES],
  },
  {
    operationId: 'listSilenceWindows',
    method: 'get',
    path: '/api/v1/silences/windows',
    tag: 'Silences',
    summary: 'List when silences mute',
    description: `Windows of recurring silences one by one, expanded as they mute. The range has at most ${MAX_WINDOW_DAYS} days, and the answer at most ${MAX_WINDOWS} windows.`,
    scope: 'read',
    query: silenceWindowsQuerySchema,
    headers: ifNoneMatchHeader,
    answers: readable('The windows.', silenceWindowsSchema),
    problems: ['validation_failed'],
  },
  {
    operationId: 'getSilence',
    method: 'get',
    path: '/api/v1/silences/{id}',
    tag: 'Silences',
    summary: 'Read a silence',
    scope: 'read',
    parameters: idParameter('sil', 'silence'),
    query: fieldsOnly(silenceSchema.shape),
    headers: ifNoneMatchHeader,
    answers: readable('The silence.', silenceSchema),
    problems: ['not_found', 'validation_failed'],
  },
  {
    operationId: 'deleteSilence',
    method: 'delete',
    path: '/api/v1/silences/{id}',
    tag: 'Silences',
    summary: 'End a silence',
    description:
      'It ends now and leaves the list. What it withheld is notified where the alert is still active.',
    scope: 'write',
    parameters: idParameter('sil', 'silence'),
    headers: ifMatchHeader,
    answers: [{ status: 204, description: 'The silence has ended.' }],
    problems: ['not_found', 'precondition_failed'],
  },
]);
