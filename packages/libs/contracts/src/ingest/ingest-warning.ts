import { z } from 'zod';

/** Maximum number of warnings in a response of ingest. */
export const MAX_WARNINGS = 20;

export const INGEST_WARNINGS = ['unknown_field', 'not_numeric', 'empty_metrics'] as const;

/** A part of the payloads of a request that ingest ignores. */
export const ingestWarningSchema = z
  .object({
    code: z.enum(INGEST_WARNINGS).meta({
      description:
        '`unknown_field`: a field that the payload, or a process, does not have. `not_numeric`: a further field of a ' +
        'container that is no number. `empty_metrics`: a payload without metrics, containers and processes, which counts ' +
        'as a heartbeat.',
      examples: ['unknown_field'],
    }),
    path: z.string().meta({
      description: 'JSON Pointer of the field in the first payload that has it.',
      examples: ['/0/tag'],
    }),
    payloads: z
      .int()
      .positive()
      .meta({ description: 'How many payloads of the request have it.', examples: [12] }),
    message: z.string().meta({ examples: ['Is not a known field and is ignored. Did you mean tags?'] }),
  })
  .meta({ id: 'IngestWarning', description: 'Something that ingest ignores.' });

export type IngestWarning = z.infer<typeof ingestWarningSchema>;
