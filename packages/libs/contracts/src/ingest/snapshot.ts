import { z } from 'zod';

/** A process in responses; fields that were not reported are null. */
export const processSchema = z
  .object({
    name: z.string().meta({ examples: ['node'] }),
    pid: z.int().meta({ examples: [4711] }),
    cpu_percent: z
      .number()
      .nullable()
      .meta({ description: 'Percent of one core.', examples: [87.5] }),
    memory_rss: z
      .number()
      .nullable()
      .meta({ description: 'Resident set size, bytes.', examples: [104857600] }),
  })
  .meta({ id: 'Process', description: 'A process of the newest payload that carried processes.' });

export type ProcessAnswer = z.infer<typeof processSchema>;

/** A container in responses; fields that were not reported are null. */
export const containerSchema = z
  .object({
    name: z.string().meta({ examples: ['api'] }),
    image: z
      .string()
      .nullable()
      .meta({ examples: ['shop/api:1.4.2'] }),
    status: z
      .string()
      .nullable()
      .meta({ examples: ['running'] }),
    health: z
      .string()
      .nullable()
      .meta({ description: "Result of the runtime's health check.", examples: ['healthy'] }),
    cpu_percent: z
      .number()
      .nullable()
      .meta({ description: 'Percent.', examples: [3.5] }),
    memory_usage: z
      .number()
      .nullable()
      .meta({ description: 'Bytes.', examples: [268435456] }),
  })
  .meta({ id: 'Container', description: 'A container of the newest payload that carried containers.' });

export type ContainerAnswer = z.infer<typeof containerSchema>;
