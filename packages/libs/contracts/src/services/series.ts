import { z } from 'zod';
import { PART_BOUNDS, partKindFault } from '../ingest/part.ts';
import { partOfSubject } from '../ingest/part-subject.ts';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { formatQuery } from '../queries/export.ts';
import { textQuery, timeQuery, windowInOrder } from '../queries/query.ts';
import { splitList } from '../queries/separated.ts';
import { TIERS } from '../rollups/tiers.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { textFault } from '../values/text.ts';
import { unitSchema } from '../values/unit-schema.ts';

export const tierSchema = z
  .enum(TIERS)
  .meta({ description: 'What the steps were computed from, chosen by step, range and retention.' });

export const pointSchema = z
  .object({
    t: timestampSchema.meta({ description: 'Start of the step, aligned to UTC.' }),
    avg: z.number().meta({ examples: [1.5] }),
    min: z.number().meta({ examples: [1] }),
    max: z.number().meta({ examples: [2] }),
    count: z
      .int()
      .positive()
      .meta({ description: 'Samples in the step.', examples: [6] }),
  })
  .meta({ id: 'Point', description: 'What the samples of one step come to.' });

export type Point = z.infer<typeof pointSchema>;

export const seriesSchema = z
  .object({
    metric: z.string().meta({ examples: ['cpu_percent'] }),
    unit: unitSchema,
    points: z.array(pointSchema).meta({ description: 'Steps in order; those without samples are left out.' }),
  })
  .meta({ id: 'Series', description: 'One metric over time.' });

export type Series = z.infer<typeof seriesSchema>;

/** What has series: the host, one of its containers, or one of its parts. */
const seriesSubjectSchema = z
  .object({
    kind: z.enum(['host', 'container', 'part']),
    name: z.string().meta({ examples: ['web-01'] }),
  })
  .meta({
    id: 'SeriesSubject',
    description:
      'The host itself, one of its containers, or one of its parts by kind and name: `filesystem:/var`.',
  });

export type SeriesSubject = z.infer<typeof seriesSubjectSchema>;

export const seriesAnswerSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    subject: seriesSubjectSchema,
    from: timestampSchema,
    to: timestampSchema,
    step_seconds: z
      .number()
      .positive()
      .meta({ examples: [60] }),
    tier: tierSchema,
    series: z.array(seriesSchema),
  })
  .meta({ id: 'SeriesAnswer', description: "A service's metrics over `[from, to)`." });

export type SeriesAnswer = z.infer<typeof seriesAnswerSchema>;

const metricList = z
  .union([z.string(), z.array(z.string())])
  .transform((given, context) => {
    const names = (Array.isArray(given) ? given : [given]).flatMap(splitList).filter((name) => name !== '');
    const unique = [...new Set(names)];
    const faulty =
      unique.length > BOUNDS.metrics || unique.some((name) => textFault(name, 1, BOUNDS.metricName));
    if (!faulty) return unique;
    addFault(context, 'invalid_format', `Must be at most ${BOUNDS.metrics} names, with commas between.`);
    return z.NEVER;
  })
  .optional()
  .meta({
    description: `Names of metrics, at most ${BOUNDS.metrics}, with commas between; by default all of the subject. A name with a comma has a backslash before it (\`latency\\\\,p99\`), or stands in double quotes (\`"latency,p99"\`); the parameter may also be repeated.`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, {
        type: 'string',
        pattern: `^[^,]{0,${BOUNDS.metricName}}(?:,[^,]{0,${BOUNDS.metricName}})*$`,
        examples: ['cpu_percent,memory_percent'],
      });
    },
  });

const PART_NAME_LENGTH = PART_BOUNDS.kind + 1 + PART_BOUNDS.name;

const subjectQuery = z
  .string()
  .transform((text, context): SeriesSubject | undefined => {
    if (text === '' || text === 'host') return undefined;
    const colon = text.indexOf(':');
    const kind = text.slice(0, Math.max(colon, 0));
    const name = text.slice(colon + 1);
    if (kind === 'container' && !textFault(name, 1, BOUNDS.containerName)) return { kind: 'container', name };
    const part = kind === 'part' ? name : text;
    const names = partOfSubject(part);
    if (
      kind !== 'container' &&
      !textFault(names.kind, 1, PART_BOUNDS.kind) &&
      !partKindFault(names.kind) &&
      !textFault(names.name, 1, PART_BOUNDS.name)
    )
      return { kind: 'part', name: part };
    const message =
      'Must be host, container: and a name, or the kind of a part, a colon and its name, such as filesystem:/var.';
    addFault(context, 'invalid_format', message);
    return z.NEVER;
  })
  .optional()
  .meta({
    description:
      'The host itself by default, one of its containers as `container:<name>`, or one of its parts as `<kind>:<name>`.',
    override: {
      type: 'string',
      pattern: `^(?:host|container:.{1,${BOUNDS.containerName}}|.{3,${PART_NAME_LENGTH}})?$`,
      default: 'host',
      examples: ['container:api'],
    },
  });

/**
 * The query of a service's series. `from` and `to` are ms or undefined; `step` stays a text; `metrics` is undefined for
 * all; `subject` is undefined for the host.
 */
export const seriesQuerySchema = z
  .object({
    metrics: metricList,
    from: timeQuery('Start of the range; by default an hour before its end.'),
    to: timeQuery('End of the range, not part of it; by default now.'),
    step: textQuery(
      32,
      'Length of a step: seconds, or `1m`, `1h`, `1d`. By default one that suits the range.',
      { pattern: '^(?:[1-9]\\d{0,7}s?|[1-9]\\d{0,6}m|[1-9]\\d{0,3}h|[1-9]\\d{0,2}d)?$', examples: ['1m'] },
    ),
    subject: subjectQuery,
    format: formatQuery,
  })
  .check(windowInOrder);
