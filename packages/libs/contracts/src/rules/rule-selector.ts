import { z } from 'zod';
import { PART_BOUNDS } from '../ingest/part.ts';
import { mapSchema } from '../values/map.ts';
import { selectorSchema } from '../values/selector.ts';
import { textSchema } from '../values/text.ts';

const MAX_PATTERNS = 100;

const nameSchema = textSchema(1, PART_BOUNDS.name);
const labelSchema = textSchema(0, PART_BOUNDS.labelValue);

/** The keys of a rule's selector that choose parts. */
export const PART_KEYS = ['part', 'part_labels'] as const;

/**
 * Selects hosts and, where the rule evaluates parts, the parts of these hosts by name and labels. A selector with one of
 * the keys of parts matches no host itself.
 */
export const ruleSelectorSchema = selectorSchema
  .extend({
    part: z
      .union([nameSchema, z.array(nameSchema).max(MAX_PATTERNS)])
      .optional()
      .meta({
        description:
          'A pattern, or a list of patterns of which one must match, of names of parts; their kind is in the metric. Only where the metric is one of parts.',
        examples: ['/backup*'],
      }),
    part_labels: mapSchema(
      z.union([labelSchema, z.array(labelSchema).max(MAX_PATTERNS)]),
      { entries: PART_BOUNDS.labels, keyMin: 1, keyMax: PART_BOUNDS.labelName },
      {
        description:
          'Label names to a pattern or a list of patterns of their values. Every label must match. Only where the metric is one of parts.',
        examples: [{ type: ['ext4', 'xfs'] }],
      },
    ).optional(),
  })
  .meta({
    id: 'RuleSelector',
    description:
      'Chooses hosts and their parts: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent.',
    examples: [{ hosts: ['web-*'], part: ['/var*', '/srv'], part_labels: { type: 'ext4' } }],
  });

export type RuleSelector = z.infer<typeof ruleSelectorSchema>;
