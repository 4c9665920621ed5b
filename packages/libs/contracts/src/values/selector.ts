import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { mapSchema } from './map.ts';
import { textSchema } from './text.ts';

const MAX_PATTERNS = 100;

const tagPatternSchema = textSchema(0, BOUNDS.tagValue);

/**
 * Selects hosts: every given key must match with one of its entries; `*` matches any characters, and `{}` matches all
 * hosts.
 */
export const selectorSchema = z
  .strictObject({
    hosts: z
      .array(textSchema(1, BOUNDS.host))
      .max(MAX_PATTERNS)
      .optional()
      .meta({ description: 'Patterns of host names, of which one must match.', examples: [['web-*']] }),
    tags: mapSchema(
      z.union([tagPatternSchema, z.array(tagPatternSchema).max(MAX_PATTERNS)]),
      { entries: BOUNDS.tags, keyMin: 1, keyMax: BOUNDS.tagName },
      {
        description: 'Tag names to a pattern or a list of patterns of their values. Every tag must match.',
        examples: [{ environment: 'production', region: ['eu-*', 'us-1'] }],
      },
    ).optional(),
  })
  .meta({
    id: 'Selector',
    description:
      'Chooses hosts: every key given must match, any entry of a list may, `*` matches any run of characters, `{}` matches everything. An empty list is as if its key were absent.',
    examples: [{ hosts: ['web-*'], tags: { environment: 'production', region: ['eu-*', 'us-1'] } }],
  });
