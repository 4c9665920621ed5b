import { answered, created, json } from '../document/answers.ts';
import { deletesVersion, reads, readsById } from '../document/operations.ts';
import { defineRoutes, PROBLEMS_OF_BODIES } from '../document/route.ts';
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
export const SILENCE_ROUTES = defineRoutes('Silences', [
  {
    ...reads(silencesQuerySchema, 'A page of silences.', silencesPageSchema),
    operationId: 'listSilences',
    path: '/api/v1/silences',
    summary: 'List silences',
  },
  {
    operationId: 'createSilence',
    method: 'post',
    path: '/api/v1/silences',
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
    ...reads(silenceWindowsQuerySchema, 'The windows.', silenceWindowsSchema),
    operationId: 'listSilenceWindows',
    path: '/api/v1/silences/windows',
    summary: 'List when silences mute',
    description: `Windows of recurring silences one by one, expanded as they mute. The range has at most ${MAX_WINDOW_DAYS} days, and the answer at most ${MAX_WINDOWS} windows.`,
  },
  {
    ...readsById('sil', 'silence', 'The silence.', silenceSchema),
    operationId: 'getSilence',
    path: '/api/v1/silences/{id}',
    summary: 'Read a silence',
  },
  {
    ...deletesVersion('sil', 'silence', 'The silence has ended.'),
    operationId: 'deleteSilence',
    path: '/api/v1/silences/{id}',
    summary: 'End a silence',
    description:
      'It ends now and leaves the list. What it withheld is notified where the alert is still active.',
  },
]);
