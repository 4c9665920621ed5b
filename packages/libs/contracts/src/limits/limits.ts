import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';

const count = (description: string, example: number) =>
  z
    .int()
    .nonnegative()
    .meta({ description, examples: [example] });

const stored = (description: string, max: number) =>
  z.object({ limit: count('How many there may be.', max), used: count('How many there are.', 12) }).meta({
    description,
  });

const ofHost = (description: string, max: number) =>
  z
    .object({
      limit: count('How many a host may have.', max),
      used: count('How many the host has that has the most.', 30),
    })
    .meta({ description });

export const limitsSchema = z
  .object({
    requests: z
      .object({
        per_minute: count('Requests that the key may send in a minute, those of ingest apart.', 60_000),
        used: count('Requests of the key in this minute, this one among them.', 42),
        resets_at: timestampSchema.meta({ description: 'When the minute ends.' }),
      })
      .meta({ id: 'RequestLimit', description: 'Requests of the key that asks.' }),
    samples: z
      .object({
        per_minute: count(
          'Samples that may be sent in a minute; null: as many as the organization likes.',
          6_000_000,
        ).nullable(),
        available: z
          .int()
          .nullable()
          .meta({
            description:
              'Samples that may be sent at once now, below 0 after a request that was larger than a minute; null without a limit.',
            examples: [5_900_000],
          }),
      })
      .meta({ id: 'SamplesLimit', description: 'Samples of the organization.' }),
    series: stored('Active series.', 1_000_000),
    parts_per_host: ofHost('Active parts of a host.', 256),
    part_series_per_host: ofHost('Active series of the parts of a host.', 2_000),
    rules: stored('Alert rules.', 10_000),
    channels: stored('Channels.', 1_000),
    silences: stored('Silences that have not ended.', 5_000),
    keys: stored('Keys that are neither revoked nor expired.', 10_000),
    markers: stored('Markers.', 100_000),
    audit_bytes: stored('Bytes of audit records in this hour.', 67_108_864),
  })
  .meta({ id: 'Limits', description: 'What the organization may use, and what it uses.' });

export type Limits = z.infer<typeof limitsSchema>;
