import { z } from 'zod';
import { severitySchema } from '../values/severity.ts';
import { ruleSelectorSchema } from './rule-selector.ts';

const MINUTES_OF_A_DAY = 1_440;
const MINUTES_OF_A_WEEK = 10_080;
const MAX_OVERRIDES = 100;

const limit = z.number();
const optionalLimit = limit.nullable().default(null);
const minutes = z.int().min(0).max(MINUTES_OF_A_DAY);

const windowMinutes = z.int().min(1).max(MINUTES_OF_A_WEEK).meta({
  description:
    'The length of the window, minutes. The rule is not evaluated before samples cover half of it.',
});

/** The names of values that are derived from a window of a stream; `forecast` is separate, because it predicts. */
export const WINDOW_TRANSFORMS = ['average', 'minimum', 'maximum', 'change', 'rate_per_minute'] as const;

export const transformSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(WINDOW_TRANSFORMS), over_minutes: windowMinutes }),
    z.strictObject({
      kind: z.literal('forecast'),
      over_minutes: windowMinutes,
      ahead_minutes: z
        .int()
        .min(1)
        .max(30 * MINUTES_OF_A_DAY)
        .meta({ description: 'How far ahead of the sample the line is followed, minutes.' }),
    }),
  ])
  .meta({
    id: 'Transform',
    description:
      "Evaluates a value derived from the subject's own stream instead of the sample: the mean, minimum or maximum of the last minutes, the change or the change a minute since then, or where a straight line through them leads.",
    examples: [{ kind: 'forecast', over_minutes: 360, ahead_minutes: 1440 }],
  });

export type Transform = z.output<typeof transformSchema>;

/** One of several thresholds of a rule, each with its own severity. */
export const levelSchema = z
  .strictObject({
    severity: severitySchema,
    threshold: limit.meta({ examples: [95] }),
    threshold_max: optionalLimit,
    recovery_threshold: optionalLimit,
    duration_minutes: minutes
      .nullable()
      .default(null)
      .meta({ description: "Minutes that the breach must last; null is the rule's." }),
  })
  .meta({ id: 'Level', description: 'A threshold with a severity of its own.' });

export type Level = z.output<typeof levelSchema>;

export const levelsSchema = z
  .array(levelSchema)
  .min(1)
  .max(3)
  .meta({
    description:
      'Several thresholds in place of `threshold` and `severity`, each severity at most once: one alert, as severe as the worst that holds.',
    examples: [
      [
        { severity: 'warning', threshold: 80 },
        { severity: 'critical', threshold: 95 },
      ],
    ],
  });

const orInherited = <T extends z.ZodType>(schema: T) => schema.nullable().default(null);

/** The terms of an override for some hosts or parts; null stands for the value of the rule. */
export const overrideSchema = z
  .strictObject({
    match: ruleSelectorSchema.meta({ description: 'The hosts, or parts of hosts, that it is for.' }),
    enabled: z.boolean().default(true).meta({ description: 'False leaves these hosts or parts out.' }),
    threshold: orInherited(limit),
    threshold_max: orInherited(limit),
    recovery_threshold: orInherited(limit),
    duration_minutes: orInherited(minutes),
    keep_firing_minutes: orInherited(minutes),
    severity: orInherited(severitySchema),
    thresholds: orInherited(levelsSchema),
  })
  .meta({
    id: 'Override',
    description: 'What some hosts or parts have other than the rule; null is as the rule has it.',
    examples: [
      { match: { hosts: ['db-*'] }, threshold: 97 },
      { match: { part: '/backup*' }, enabled: false },
    ],
  });

export type Override = z.output<typeof overrideSchema>;

export const overridesSchema = z.array(overrideSchema).max(MAX_OVERRIDES).meta({
  description: 'Exceptions for some hosts or parts; the first that matches a host or part counts.',
});
