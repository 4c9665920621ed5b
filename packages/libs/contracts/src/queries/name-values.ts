import { z } from 'zod';
// Imported for the types of fields of .meta() that only the API document uses.
import type {} from 'zod-openapi';
import { PART_BOUNDS } from '../ingest/part.ts';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { textFault } from '../values/text.ts';
import { splitNameAndValue } from './separated.ts';

/** A name and the value that it must have, such as a tag of a host. */
export interface NameValue {
  name: string;
  value: string;
}

interface NameValueBounds {
  /** What has the name and the value. */
  noun: string;
  /** How often the parameter may be given. */
  times: number;
  /** The max lengths in code points. */
  nameMax: number;
  valueMax: number;
  description: string;
  example: string;
}

/** A parameter that may be repeated: `name:value`, split at the first colon outside of the name. */
function nameValuesQuery({ noun, times, nameMax, valueMax, description, example }: NameValueBounds) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given, context) => {
      const filters: NameValue[] = [];
      for (const text of Array.isArray(given) ? given : [given]) {
        const filter = splitNameAndValue(text);
        if (
          filter === undefined ||
          textFault(filter.name, 1, nameMax) ||
          textFault(filter.value, 0, valueMax)
        ) {
          const message = `Must be name:value of a ${noun}, with a backslash before a colon of the name.`;
          addFault(context, 'invalid_format', message);
          return z.NEVER;
        }
        filters.push(filter);
      }
      if (filters.length > times) {
        addFault(context, 'too_many', `Must be given at most ${times} times.`);
        return z.NEVER;
      }
      return filters;
    })
    .default([])
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.anyOf;
        Object.assign(jsonSchema, {
          type: 'array',
          items: { type: 'string', pattern: `^[^:]{1,${nameMax}}:.{0,${valueMax}}$` },
          maxItems: times,
          examples: [[example]],
        });
      },
    });
}

/** The parameter `tag`: hosts must have every one of these tags. */
export const tagQuery = nameValuesQuery({
  noun: 'tag',
  times: BOUNDS.tags,
  nameMax: BOUNDS.tagName,
  valueMax: BOUNDS.tagValue,
  description:
    'Only services with this tag, `name:value`. A name with a colon has a backslash before it (`a\\:b:value`), or stands in double quotes (`"a:b":value`). May be repeated: every one must match.',
  example: 'region:eu-1',
});

/** The parameter `label`: parts of hosts must have every one of these labels. */
export const labelQuery = nameValuesQuery({
  noun: 'label',
  times: PART_BOUNDS.labels,
  nameMax: PART_BOUNDS.labelName,
  valueMax: PART_BOUNDS.labelValue,
  description:
    'Only parts with this label, `name:value`, written as a tag is. May be repeated: every one must match.',
  example: 'type:ext4',
});
