import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { mapSchema } from '../values/map.ts';
import { textFault, textSchema } from '../values/text.ts';
import { partSubject } from './part-subject.ts';

/** The limits of the parts of a payload. Lengths are in code points. */
export const PART_BOUNDS = {
  parts: 256,
  /** Numbers of all parts of a payload together. */
  series: 2_000,
  kind: 64,
  name: 255,
  metrics: 512,
  metricName: 200,
  labels: 16,
  labelName: 128,
  labelValue: 256,
} as const;

/** The fields of a part that are no metrics. */
export const PART_TEXTS = ['kind', 'name', 'labels'] as const;
const TEXTS: ReadonlySet<string> = new Set(PART_TEXTS);

/** Kinds of subjects that are no parts. */
const RESERVED_KINDS: ReadonlySet<string> = new Set(['host', 'container', 'process', 'part']);
const NAMES_A_SUBJECT = /[.:*]/;

export const RESERVED_KIND = 'Must not be host, container, process or part: these are no parts of a host.';
export const KIND_FORMAT = 'Must not contain a full stop, a colon or an asterisk.';
export const REPEATED_PART = 'Another part of this payload has this kind and name.';
export const TOO_MANY_SERIES = `Must have at most ${PART_BOUNDS.series} numbers in all.`;
export const TOO_MANY_METRICS = `Must have at most ${PART_BOUNDS.metrics} numbers.`;

/** The fault of the kind of a part that is a text of the right length; undefined for none. */
export function partKindFault(kind: string): { code: string; message: string } | undefined {
  if (NAMES_A_SUBJECT.test(kind)) return { code: 'invalid_format', message: KIND_FORMAT };
  return RESERVED_KINDS.has(kind) ? { code: 'invalid_value', message: RESERVED_KIND } : undefined;
}

const labelsSchema = mapSchema(
  textSchema(0, PART_BOUNDS.labelValue),
  { entries: PART_BOUNDS.labels, keyMin: 1, keyMax: PART_BOUNDS.labelName },
  {
    description:
      'Labels of the part. At most 16; they replace the earlier ones as a whole, and without them those stay.',
    examples: [{ type: 'ext4', device: '/dev/sda2' }],
  },
);

const partSchema = z
  .looseObject({
    kind: textSchema(1, PART_BOUNDS.kind)
      .superRefine((kind, context) => {
        const fault = partKindFault(kind);
        if (fault !== undefined) addFault(context, fault.code, fault.message);
      })
      .meta({
        description: 'Kind of the part; not host, container, process or part, and without `.`, `:` and `*`.',
        pattern: '^(?!(?:host|container|process|part)$)[^.:*]+$',
        examples: ['filesystem'],
      }),
    name: textSchema(1, PART_BOUNDS.name).meta({ description: 'Name among its kind.', examples: ['/var'] }),
    // Checked below, together with the numbers: a fault of a map ends the checks of its object.
    labels: z
      .custom<Record<string, string>>()
      .optional()
      .meta(labelsSchema.meta() ?? {}),
  })
  .superRefine(
    (part, context) => {
      const checked = labelsSchema.optional().safeParse(part.labels);
      for (const issue of checked.error?.issues ?? []) {
        const { params, message, path } = issue as z.core.$ZodIssueCustom;
        addFault(context, params?.code as string, message, ['labels', ...path]);
      }
      const metrics = Object.keys(part).filter((key) => !TEXTS.has(key) && typeof part[key] === 'number');
      if (metrics.length > PART_BOUNDS.metrics) return addFault(context, 'too_many', TOO_MANY_METRICS);
      for (const metric of metrics) {
        const fault = textFault(metric, 1, PART_BOUNDS.metricName);
        if (fault) addFault(context, fault.code, `The name: ${fault.message}`, [metric]);
        else if (!Number.isFinite(part[metric]))
          addFault(context, 'not_finite', 'Must be a finite number.', [metric]);
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
  .meta({
    id: 'PartSample',
    description:
      'A part of the host, such as a filesystem, a disk or a unit. Its kind and name identify it; its numeric fields (at most 512) are metrics.',
    examples: [
      { kind: 'filesystem', name: '/var', labels: { type: 'ext4' }, used_percent: 81.2, used_bytes: 8123456 },
    ],
  });

/** The indexes of parts with the same valid kind and name as an earlier one. */
function repeatedParts(parts: readonly unknown[]): number[] {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [index, part] of parts.entries()) {
    const { kind, name } = (part ?? {}) as { kind?: unknown; name?: unknown };
    if (typeof kind !== 'string' || textFault(kind, 1, PART_BOUNDS.kind) !== undefined || partKindFault(kind))
      continue;
    if (typeof name !== 'string' || textFault(name, 1, PART_BOUNDS.name) !== undefined) continue;
    const subject = partSubject(kind, name);
    if (seen.has(subject)) repeated.push(index);
    seen.add(subject);
  }
  return repeated;
}

function countNumbers(parts: readonly unknown[]): number {
  let count = 0;
  for (const part of parts) {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue;
    for (const [field, value] of Object.entries(part))
      if (!TEXTS.has(field) && typeof value === 'number') count += 1;
  }
  return count;
}

/** `parts` of a payload. */
export const partsSchema = z
  .array(partSchema)
  .max(PART_BOUNDS.parts)
  .superRefine(
    (parts, context) => {
      for (const index of repeatedParts(parts))
        addFault(context, 'duplicate', REPEATED_PART, [index, 'name']);
      if (countNumbers(parts) > PART_BOUNDS.series) addFault(context, 'too_many', TOO_MANY_SERIES);
    },
    { when: ({ value }) => Array.isArray(value) && value.length <= PART_BOUNDS.parts },
  )
  .optional()
  .meta({
    description:
      'Parts of the host. At most 256 with 2,000 numbers in all, each with a kind and name of its own. A part without numbers is not stored.',
  });
