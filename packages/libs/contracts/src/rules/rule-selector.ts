import { z } from 'zod';
import { PART_BOUNDS } from '../ingest/part.ts';
import { mapSchema } from '../values/map.ts';
import { selectorSchema } from '../values/selector.ts';
import { textSchema } from '../values/text.ts';

const MAX_PATTERNS = 100;

const nameSchema = textSchema(1, PART_BOUNDS.name);
const labelSchema = textSchema(0, PART_BOUNDS.labelValue);

/** The keys of a rule's selector that choose subjects within hosts, by the kind of these subjects. */
export const SUBJECT_KEYS = {
  part: ['part', 'part_labels'],
  container: ['container'],
  process: ['process'],
} as const;

const namesSchema = (which: string, example: string) =>
  z
    .union([nameSchema, z.array(nameSchema).max(MAX_PATTERNS)])
    .optional()
    .meta({
      description: `A pattern, or a list of patterns of which one must match, of names of ${which}`,
      examples: [example],
    });

const HOW_KEYS_MATCH =
  'every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent.';

const partKeysSchema = selectorSchema.extend({
  part: namesSchema('parts; their kind is in the metric. Only where the metric is one of parts.', '/backup*'),
  part_labels: mapSchema(
    z.union([labelSchema, z.array(labelSchema).max(MAX_PATTERNS)]),
    { entries: PART_BOUNDS.labels, keyMin: 1, keyMax: PART_BOUNDS.labelName },
    {
      description:
        'Label names to a pattern or a list of patterns of their values. Every label must match. Only where the metric is one of parts.',
      examples: [{ type: ['ext4', 'xfs'] }],
    },
  ).optional(),
});

/** Selects hosts and, where the metric is one of parts, the parts of these hosts by name and labels. */
export const partSelectorSchema = partKeysSchema.meta({
  id: 'PartSelector',
  description: `Chooses hosts and their parts: ${HOW_KEYS_MATCH}`,
  examples: [{ hosts: ['web-*'], part: ['/var*', '/srv'], part_labels: { type: 'ext4' } }],
});

/**
 * Selects hosts and, where the rule evaluates parts, containers or processes, those of these hosts by name, and parts by labels. A
 * selector with one of the keys of these matches no host itself.
 */
export const ruleSelectorSchema = partKeysSchema
  .extend({
    container: namesSchema('containers. Only where the metric is one of containers.', 'job-*'),
    process: namesSchema('processes. Only where the metric is one of processes.', 'nginx'),
  })
  .meta({
    id: 'RuleSelector',
    description: `Chooses hosts and their parts, containers or processes: ${HOW_KEYS_MATCH}`,
    examples: [{ hosts: ['web-*'], part: ['/var*', '/srv'], part_labels: { type: 'ext4' } }],
  });

export type PartSelector = z.infer<typeof partSelectorSchema>;
export type RuleSelector = z.infer<typeof ruleSelectorSchema>;
