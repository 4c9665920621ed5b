import { PART_BOUNDS } from '@tidewatch/contracts/ingest/part';
import { z } from 'zod';
import { setting, wholeNumber } from './config.ts';

/** The settings of request limits, for every service whose requests need a key. */
export const requestLimitSettings = {
  rateLimitPerMinute: setting({
    env: 'TIDEWATCH_RATE_LIMIT_PER_MINUTE',
    schema: wholeNumber(1, 1_000_000_000).default(60_000),
    meaning:
      'Requests that one key may send in a minute, of ingest and of everything else apart, unless the key carries a limit of its own.',
    example: '600',
  }),
};

/** The settings of what one organization may send: gateways hold the limits, and query APIs answer them. */
export const ingestLimitSettings = {
  samplesPerMinute: setting({
    env: 'TIDEWATCH_SAMPLES_PER_MINUTE',
    schema: wholeNumber(1, 1_000_000_000_000).optional(),
    meaning: 'Samples that one organization may send in a minute; without it as many as it likes.',
    example: '6000000',
  }),
  seriesLimit: setting({
    env: 'TIDEWATCH_SERIES_LIMIT',
    schema: wholeNumber(1, 1_000_000_000).default(1_000_000),
    meaning: 'Active series of an organization: metrics of a host or container that came within a day.',
    example: '5000000',
  }),
  hostPartsLimit: setting({
    env: 'TIDEWATCH_HOST_PARTS_LIMIT',
    schema: wholeNumber(1, 10_000).default(PART_BOUNDS.parts),
    meaning:
      'Active parts of a host, over all of its payloads: filesystems, disks, units and others that came within a day.',
    example: '1000',
  }),
  hostPartSeriesLimit: setting({
    env: 'TIDEWATCH_HOST_PART_SERIES_LIMIT',
    schema: wholeNumber(1, 100_000).default(PART_BOUNDS.series),
    meaning: 'Active series of the parts of a host together, over all of its payloads.',
    example: '8000',
  }),
};

/** The settings of gateways for what other agents send. */
export const foreignIngestSettings = {
  foreignHostLabels: setting({
    env: 'TIDEWATCH_FOREIGN_HOST_LABELS',
    schema: z
      .string()
      .default('host,hostname,host_name,nodename,node')
      .transform((text) => text.split(',').map((label) => label.trim()))
      .refine(
        (labels) => labels.every((label) => label !== ''),
        'must be names of labels, separated by commas',
      ),
    meaning:
      'Labels that name the host of a series of other agents, the first that is there; instance follows without its port.',
    example: 'nodename,host',
  }),
  foreignApplications: setting({
    env: 'TIDEWATCH_FOREIGN_APPLICATIONS',
    schema: z.enum(['on', 'off']).default('on'),
    meaning: 'Whether series of other agents are stored that are not of a host but of an application on it.',
    example: 'off',
  }),
  foreignCounters: setting({
    env: 'TIDEWATCH_FOREIGN_COUNTERS',
    schema: z.enum(['rates', 'raw', 'both']).default('rates'),
    meaning:
      'Whether counters of other agents are stored as rates per second, as they are sent, or both; metrics computed from rates are stored in any case.',
    example: 'both',
  }),
  foreignSeries: setting({
    env: 'TIDEWATCH_FOREIGN_SERIES',
    schema: wholeNumber(1_000, 100_000_000).default(500_000),
    meaning:
      'Series of other agents that a gateway remembers, for the rates of counters; of more, the least used begin again.',
    example: '2000000',
  }),
  otlpGrpcPort: setting({
    env: 'TIDEWATCH_OTLP_GRPC_PORT',
    schema: wholeNumber(0, 65_535).optional(),
    meaning: 'The port for OTLP over gRPC, at TIDEWATCH_HOST; without it there is none. 0 takes a free one.',
    example: '4317',
  }),
  foreignTimeStepMs: setting({
    env: 'TIDEWATCH_FOREIGN_TIME_STEP_MS',
    schema: wholeNumber(1, 60_000).default(1_000),
    meaning: 'Values of other agents less than this apart are one sample of their host, in milliseconds.',
    example: '100',
  }),
};

/** The setting of the Redis in which processes of the distributed topology count requests together. */
export const redisSettings = {
  redisUrl: setting({
    env: 'TIDEWATCH_REDIS_URL',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .optional(),
    meaning:
      'Redis or Valkey, in which all processes of a service count requests and samples together; without it each counts its own.',
    example: 'redis://:secret@redis:6379',
    secret: true,
  }),
};
