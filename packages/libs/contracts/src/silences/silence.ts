import { z } from 'zod';
import { PART_BOUNDS } from '../ingest/part.ts';
import { addFault } from '../problems/add-fault.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { timeQuery } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema, isId } from '../values/id.ts';
import { selectorSchema } from '../values/selector.ts';
import { severitySchema } from '../values/severity.ts';
import { SUBJECT_KINDS, subjectSchema } from '../values/subject.ts';
import { textSchema } from '../values/text.ts';

const MAX_RULES = 100;
const MAX_SUBJECTS = 100;
const MAX_RECURRENCE = 500;
/** The longest name of a subject is that of a part, with its kind. */
const MAX_SUBJECT_NAME = PART_BOUNDS.kind + 1 + PART_BOUNDS.name;

const ruleIdSchema = z
  .string()
  .superRefine((id, context) => {
    if (isId('rul', id)) return;
    addFault(context, 'invalid_value', 'Must be the id of a rule.');
  })
  .meta({ pattern: '^rul_[0-9a-f]{32}$', examples: ['rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c'] });

const subjectPatternSchema = z
  .strictObject({
    kind: z.enum(SUBJECT_KINDS),
    name: textSchema(1, MAX_SUBJECT_NAME).meta({
      description:
        'Pattern of names: `*` matches any run of characters. A part is named by its kind, a colon and its name, such as `filesystem:/var*`.',
      examples: ['api-*'],
    }),
  })
  .meta({ id: 'SubjectPattern', description: 'Chooses subjects by kind and name.' });

/** Which hosts and which of their alerts a silence matches; an empty matcher matches all. */
const matcherFields = {
  hosts: selectorSchema.shape.hosts.unwrap(),
  tags: selectorSchema.shape.tags.unwrap(),
  rule_ids: z.array(ruleIdSchema).max(MAX_RULES).meta({ description: 'Rules, of which one must match.' }),
  severities: z
    .array(severitySchema)
    .max(3)
    .meta({ description: 'Severities, of which one must match.', examples: [['warning']] }),
  subjects: z
    .array(subjectPatternSchema)
    .max(MAX_SUBJECTS)
    .meta({ description: 'Subjects, of which one must match.' }),
};

const notEmptyList = { type: 'array' as const, minItems: 1 };

/** For the API document: at least one matcher is not empty. */
const NOT_EMPTY = [
  ...['hosts', 'rule_ids', 'severities', 'subjects'].map((name) => ({
    properties: { [name]: notEmptyList },
    required: [name],
  })),
  {
    properties: {
      tags: { not: { additionalProperties: { type: 'array' as const, maxItems: 0 } } },
    },
    required: ['tags'],
  },
];

const matchersInputSchema = z
  .strictObject({
    hosts: matcherFields.hosts.default([]),
    tags: matcherFields.tags.default({}),
    rule_ids: matcherFields.rule_ids.default([]),
    severities: matcherFields.severities.default([]),
    subjects: matcherFields.subjects.default([]),
  })
  .superRefine((matchers, context) => {
    if (asksForSomething(matchers)) return;
    addFault(context, 'too_few', 'At least one matcher must not be empty.');
  })
  .meta({
    id: 'SilenceMatchersInput',
    override: { anyOf: NOT_EMPTY },
    description:
      'Which alerts are muted: every matcher that is not empty must match, any entry of a list may, `*` matches any run of characters. At least one must not be empty.',
  });

export type SilenceMatchers = z.output<typeof matchersInputSchema>;

/** A tag with an empty list restricts nothing, like any other empty list. */
function asksForSomething({ tags, ...lists }: z.output<z.ZodObject<typeof matcherFields>>): boolean {
  return [...Object.values(lists), ...Object.values(tags)].some(
    (each) => typeof each === 'string' || each.length > 0,
  );
}

const timezoneSchema = textSchema(1, 100)
  .superRefine((name, context) => {
    if (isTimezone(name)) return;
    addFault(context, 'unknown_timezone', 'Must be the name of a time zone, such as Europe/Berlin.');
  })
  .meta({
    description: 'IANA time zone by whose wall clock the silence recurs.',
    examples: ['Europe/Berlin'],
  });

const recurrenceSchema = textSchema(1, MAX_RECURRENCE)
  .nullable()
  .meta({
    description:
      'A recurrence rule (RFC 5545, without `DTSTART`) that repeats the window from `from` to `until`; null: once.',
    examples: ['FREQ=WEEKLY;BYDAY=SU'],
  });

const commentSchema = textSchema(0, 2_000).meta({ description: 'Why.', examples: ['Database upgrade'] });

const EXAMPLE = {
  matchers: { hosts: ['db-*'], severities: ['warning'] },
  from: '2026-11-22T01:00:00.000Z',
  until: '2026-11-22T03:00:00.000Z',
  recurrence: 'FREQ=WEEKLY;BYDAY=SU',
  timezone: 'Europe/Berlin',
  comment: 'Weekly backup',
};

/** The body of a new silence. The recurrence rule is checked by the caller, which parses it. */
export const silenceInputSchema = z
  .strictObject({
    matchers: matchersInputSchema,
    from: timestampInputSchema,
    until: timestampInputSchema,
    recurrence: recurrenceSchema.default(null),
    timezone: timezoneSchema.default('UTC'),
    comment: commentSchema.default(''),
  })
  .superRefine(
    (silence, context) => {
      const { from, until } = silence as { from?: unknown; until?: unknown };
      if (typeof from !== 'number' || typeof until !== 'number' || from < until) return;
      const message = 'Must be after from.';
      addFault(context, 'out_of_range', message, ['until']);
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
  .meta({ id: 'SilenceInput', description: 'A silence as it is created.', examples: [EXAMPLE] });

export const SILENCE_EXAMPLE = EXAMPLE;

/** A silence; times are ms since the epoch. */
export type SilenceDefinition = z.output<typeof silenceInputSchema>;

export const SILENCE_STATUSES = ['scheduled', 'active', 'expired'] as const;

export type SilenceStatus = (typeof SILENCE_STATUSES)[number];

export const silenceSchema = z
  .object({
    id: idSchema('sil'),
    matchers: z.object({ ...matcherFields, subjects: z.array(subjectSchema) }).meta({
      id: 'SilenceMatchers',
      description: 'Which alerts are muted; what is empty asks for nothing.',
    }),
    from: timestampSchema.meta({ description: 'When it begins, or when its first window does.' }),
    until: timestampSchema.meta({ description: 'When it ends, or when its first window does.' }),
    recurrence: recurrenceSchema,
    timezone: timezoneSchema,
    comment: commentSchema,
    status: z.enum(SILENCE_STATUSES).meta({
      description: 'A recurring silence is `active` within a window and `scheduled` between two.',
      examples: ['active'],
    }),
    created_at: timestampSchema,
    created_by: actorSchema,
  })
  .meta({ id: 'Silence', description: 'Mutes alerts that fire while it is active.' });

export type Silence = z.infer<typeof silenceSchema>;

export const silencesPageSchema = z
  .object({ silences: z.array(silenceSchema), pagination: paginationSchema })
  .meta({ id: 'SilencesPage', description: 'Silences by creation, oldest first.' });

/** The query of the list of silences. */
export const silencesQuerySchema = z
  .object({
    ...pageQuery,
    status: z.enum(SILENCE_STATUSES).optional().meta({ description: 'Only silences of this status.' }),
    at: timeQuery('The time at which `status` is determined and filtered; by default now.'),
    sort: sortQuery(['created_at', 'from', 'until'], 'created_at'),
    fields: fieldsQuery(silenceSchema.shape),
  })
  .check(cursorOrOffset);

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
