import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { severitySchema } from '../values/severity.ts';
import { SILENCE_EXAMPLE, silenceInputSchema } from './silence.ts';

/** Hosts, alerts and rules that a preview names at most; its counts are of all. */
export const MAX_PREVIEWED = 100;

/** The body of a preview: the matchers of a silence. */
export const silencePreviewInputSchema = z
  .strictObject({ matchers: silenceInputSchema.shape.matchers })
  .meta({
    id: 'SilencePreviewInput',
    description: 'The matchers of a silence that may be created.',
    examples: [{ matchers: SILENCE_EXAMPLE.matchers }],
  });

const count = (description: string, example: number) =>
  z
    .int()
    .nonnegative()
    .meta({ description, examples: [example] });

const name = z.string().meta({ examples: ['db-03'] });

const matchedAlertSchema = z
  .object({
    id: idSchema('alr'),
    rule_id: idSchema('rul'),
    rule_name: z.string().meta({ examples: ['CPU is busy'] }),
    service_id: idSchema('svc'),
    host: name,
    severity: severitySchema,
    summary: z.string().meta({ examples: ['db-03: cpu_percent is 93.5 %, above 90 % for 5 minutes.'] }),
    fired_at: timestampSchema,
    silenced_by: idSchema('sil').nullable().meta({ description: 'The silence that mutes it already.' }),
  })
  .meta({ id: 'MatchedAlert', description: 'An active alert that a silence would mute.' });

export type MatchedAlert = z.infer<typeof matchedAlertSchema>;

export const silencePreviewSchema = z
  .object({
    maintenance: z.boolean().meta({
      description:
        'Whether its hosts would be in `maintenance`, since it matches by nothing but `hosts` and `tags`.',
    }),
    services: z
      .object({
        total: count('Hosts that it matches and that are not archived.', 212),
        list: z.array(z.object({ id: idSchema('svc'), name })),
      })
      .meta({ description: `Hosts, of which \`list\` has the first ${MAX_PREVIEWED} by name.` }),
    alerts: z
      .object({
        total: count('Active alerts that it matches, without those of rules in `shadow`.', 3),
        critical: count('Critical ones among them.', 1),
        warning: count('Warnings among them.', 2),
        info: count('Informational ones among them.', 0),
        silenced: count('Alerts among them that a silence mutes already.', 0),
        list: z.array(matchedAlertSchema),
      })
      .meta({ description: `Alerts, of which \`list\` has the newest ${MAX_PREVIEWED}.` }),
    rules: z
      .array(
        z.object({
          id: idSchema('rul'),
          name: z.string().meta({ examples: ['CPU is busy'] }),
          alerts: count('How many of these alerts are of the rule.', 3),
        }),
      )
      .meta({ description: `Rules of these alerts, those with the most first, at most ${MAX_PREVIEWED}.` }),
  })
  .meta({ id: 'SilencePreview', description: 'What a silence would mute now.' });

export type SilencePreview = z.infer<typeof silencePreviewSchema>;
