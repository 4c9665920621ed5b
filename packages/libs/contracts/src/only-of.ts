import { z } from 'zod';

/** A field that takes one value only until the behaviour of the others exists. */
export function onlyOf<const T extends string | null>(accepted: T, kind?: 'string') {
  return z
    .custom<T>()
    .superRefine((value: unknown, context) => {
      if (value === accepted) return;
      const wrongType = kind !== undefined && typeof value !== kind;
      const message = wrongType ? `Must be a ${kind}.` : `Only ${JSON.stringify(accepted)} is supported yet.`;
      context.addIssue({
        code: 'custom',
        message,
        params: { code: wrongType ? 'invalid_type' : 'unsupported' },
      });
    })
    .meta({ override: { const: accepted } });
}
