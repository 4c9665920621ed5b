import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { toFaults } from '../problems/validation.ts';
import { textFault } from './text.ts';

/** The limits of a JSON object that maps names to values. Lengths are in code points. */
export interface MapBounds {
  entries: number;
  keyMin: number;
  keyMax: number;
}

/**
 * Schema of a JSON object that maps names to values. Unlike z.record, it keeps and checks `__proto__`, limits the number of
 * entries before checking them, and reports an invalid name by its own path.
 */
export function mapSchema<T extends z.ZodType>(
  values: T,
  bounds: MapBounds,
  meta: { description: string; examples?: unknown[] },
) {
  return z
    .custom<Record<string, z.output<T>>>()
    .superRefine((input: unknown, context) => {
      if (typeof input !== 'object' || input === null || Array.isArray(input)) {
        const missing = input === undefined;
        context.addIssue({
          code: 'custom',
          message: missing ? 'Is required.' : 'Must be an object.',
          params: { code: missing ? 'required' : 'invalid_type' },
          continue: false,
        });
        return;
      }
      const keys = Object.keys(input);
      if (keys.length > bounds.entries) {
        addFault(context, 'too_many', `Must have at most ${bounds.entries} entries.`);
        return;
      }
      for (const key of keys) {
        const fault = textFault(key, bounds.keyMin, bounds.keyMax);
        if (fault) {
          const message = `The name: ${fault.message}`;
          addFault(context, fault.code, message, [key]);
          continue;
        }
        const value = (input as Record<string, unknown>)[key];
        const result = values.safeParse(value);
        if (result.success) continue;
        for (const each of toFaults(result.error, 'body', value)) {
          const path = [key, ...each.path.split('/').slice(1)];
          context.addIssue({
            code: 'custom',
            path,
            message: each.message,
            params: { code: each.code },
            continue: false,
          });
        }
      }
    })
    .meta({
      ...meta,
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) =>
        describeMap(jsonSchema, values, bounds),
    });
}

function describeMap(jsonSchema: Record<string, unknown>, values: z.ZodType, bounds: MapBounds): void {
  const { $schema: _, ...additionalProperties } = z.toJSONSchema(values, { io: 'input' });
  jsonSchema.type = 'object';
  jsonSchema.maxProperties = bounds.entries;
  jsonSchema.propertyNames = {
    ...(bounds.keyMin > 0 ? { minLength: bounds.keyMin } : {}),
    maxLength: bounds.keyMax,
  };
  jsonSchema.additionalProperties = additionalProperties;
}
