import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { parseTimestamp } from '../time/time.ts';
import { timestampFault } from '../time/timestamp-fault.ts';
import { mapSchema } from '../values/map.ts';
import { textFault, textSchema } from '../values/text.ts';
import { partsSchema } from './part.ts';
import { BOUNDS, type Container } from './sample.ts';

/** The text fields of a container; all other fields are metrics. */
export const CONTAINER_TEXTS = ['name', 'image', 'status', 'id', 'health'] as const;
export const CONTAINER_METRICS = ['cpu_percent', 'memory_usage'] as const;
export const CONTAINER_FIELDS: readonly string[] = [...CONTAINER_TEXTS, ...CONTAINER_METRICS];

const containerSchema = z
  .looseObject({
    name: textSchema(1, BOUNDS.containerName).meta({
      description: 'Name of the container.',
      examples: ['api'],
    }),
    image: textSchema(0, BOUNDS.containerImage)
      .optional()
      .meta({ description: 'Image with its tag.', examples: ['shop/api:1.4.2'] }),
    status: textSchema(0, BOUNDS.containerStatus)
      .optional()
      .meta({ description: 'Status by the runtime.', examples: ['running'] }),
    id: textSchema(0, BOUNDS.containerId)
      .nullable()
      .optional()
      .meta({
        description: 'Id by the runtime, which a container keeps when it is renamed.',
        examples: ['4f66ad9a0b2e'],
      }),
    health: textSchema(0, BOUNDS.containerHealth)
      .nullable()
      .optional()
      .meta({
        description: "Result of the runtime's health check: `healthy`, `unhealthy` or `starting`.",
        examples: ['healthy'],
      }),
    cpu_percent: z
      .number()
      .optional()
      .meta({ description: 'Percent.', examples: [12.5] }),
    memory_usage: z
      .number()
      .optional()
      .meta({ description: 'Bytes.', examples: [268435456] }),
  })
  .superRefine(
    (container, context) => {
      const further = Object.keys(container).filter(
        (key) => !KNOWN_CONTAINER_FIELDS.has(key) && typeof container[key] === 'number',
      );
      if (further.length > BOUNDS.containerMetrics) {
        const message = `Must have at most ${BOUNDS.containerMetrics} further numeric fields.`;
        addFault(context, 'too_many', message);
        return;
      }
      for (const key of further) {
        const fault = textFault(key, 1, BOUNDS.metricName);
        if (fault) addFault(context, fault.code, `The name: ${fault.message}`, [key]);
        else if (!Number.isFinite(container[key])) {
          addFault(context, 'not_finite', 'Must be a finite number.', [key]);
        }
      }
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
  .meta({
    id: 'ContainerSample',
    description: 'A container of the host. Further numeric fields (at most 32) are metrics too.',
  });

const processSchema = z
  .object({
    name: textSchema(1, BOUNDS.processName).meta({ description: 'Name of the process.', examples: ['node'] }),
    pid: z
      .int()
      .nonnegative()
      .meta({ description: 'Process id.', examples: [4711] }),
    cpu_percent: z
      .number()
      .optional()
      .meta({ description: 'Percent of one core.', examples: [87.5] }),
    memory_rss: z
      .number()
      .optional()
      .meta({ description: 'Resident set size, bytes.', examples: [104857600] }),
  })
  .meta({ id: 'ProcessSample', description: 'A process of the host.' });

/** The fault of a container with the same name as an earlier one of its payload, because both would have the same series. */
export const REPEATED_CONTAINER =
  'Another container of this payload has this name. Each needs a name of its own, for example with its id.';

/** The indexes of containers with the same valid name as an earlier one. */
function repeatedNames(containers: readonly unknown[]): number[] {
  const names = new Set<string>();
  const repeated: number[] = [];
  for (const [index, container] of containers.entries()) {
    const name: unknown = (container as Partial<Container> | null)?.name;
    if (typeof name !== 'string' || textFault(name, 1, BOUNDS.containerName) !== undefined) continue;
    if (names.has(name)) repeated.push(index);
    names.add(name);
  }
  return repeated;
}

/**
 * The schema of one payload in a body, for the API document; the gateway's hand-written decoder is tested against it. It
 * does not check that a time is at most `BOUNDS.aheadMs` ahead, which depends on the arrival.
 */
export const payloadSchema = z
  .object({
    host: textSchema(1, BOUNDS.host).meta({
      description: 'Name of the reporting host.',
      examples: ['web-01'],
    }),
    timestamp: z
      .string()
      .superRefine((text, context) => {
        const time = parseTimestamp(text);
        if (time === undefined) {
          addFault(context, 'invalid_timestamp', timestampFault(text));
        } else if (time < BOUNDS.earliestTime) {
          addFault(context, 'too_early', 'Must not be before the year 2000.');
        }
      })
      .optional()
      .meta({
        description:
          'Time of the samples, by default that of arrival. Any offset, UTC where there is none; since 2000, at most 24 hours ahead.',
        format: 'date-time',
        examples: ['2026-11-21T14:36:28.000Z'],
      }),
    metrics: mapSchema(
      z.number().meta({ description: 'A finite number.' }),
      { entries: BOUNDS.metrics, keyMin: 1, keyMax: BOUNDS.metricName },
      {
        description: 'Metric names to values; empty is a heartbeat. At most 512.',
        examples: [{ cpu_percent: 12.5, memory_percent: 40.1, disk_percent: 71 }],
      },
    ),
    tags: mapSchema(
      textSchema(0, BOUNDS.tagValue),
      { entries: BOUNDS.tags, keyMin: 1, keyMax: BOUNDS.tagName },
      {
        description: 'Tags of the host. At most 64; they replace the earlier ones as a whole.',
        examples: [{ environment: 'production', region: 'eu-1' }],
      },
    ).optional(),
    docker_containers: z
      .array(containerSchema)
      .max(BOUNDS.containers)
      .superRefine(
        (containers, context) => {
          for (const index of repeatedNames(containers))
            addFault(context, 'duplicate', REPEATED_CONTAINER, [index, 'name']);
        },
        { when: ({ value }) => Array.isArray(value) && value.length <= BOUNDS.containers },
      )
      .optional()
      .meta({ description: 'Containers of the host. At most 500, each with a name of its own.' }),
    processes: z.array(processSchema).max(BOUNDS.processes).optional().meta({
      description:
        'Processes of the host. At most 1,000. All are kept, also of one name or pid; rules evaluate the sum of each name.',
    }),
    process_counts: mapSchema(
      z.int().nonnegative().meta({ description: 'A number of processes.' }),
      { entries: BOUNDS.processCounts, keyMin: 1, keyMax: BOUNDS.processName },
      {
        description:
          'How many processes of each name run, also of names that `processes` leaves out. At most 1,000. A name that is not in it does not run.',
        examples: [{ nginx: 5, sshd: 1 }],
      },
    ).optional(),
    parts: partsSchema,
  })
  .meta({
    id: 'Payload',
    description:
      'What one host says at one time. Unknown fields are ignored; `Prefer: warnings` names them in the answer.',
    examples: [
      {
        host: 'web-01',
        timestamp: '2026-11-21T14:36:28.000Z',
        metrics: { cpu_percent: 12.5, memory_percent: 40.1, disk_percent: 71 },
        tags: { environment: 'production', service: 'shop', region: 'eu-1' },
        docker_containers: [
          {
            name: 'api',
            image: 'shop/api:1.4.2',
            status: 'running',
            cpu_percent: 3.5,
            memory_usage: 268435456,
          },
        ],
        processes: [{ name: 'node', pid: 4711, cpu_percent: 3.1, memory_rss: 104857600 }],
      },
    ],
  });

/** The fields of a payload and of a process; all others are ignored. */
export const PAYLOAD_FIELDS: readonly string[] = Object.keys(payloadSchema.shape);
export const PROCESS_FIELDS: readonly string[] = Object.keys(processSchema.shape);

/** The schema of a JSON body of ingest: one payload, or an array of 1 to 1,000. */
export const ingestBodySchema = z
  .union([payloadSchema, z.array(payloadSchema).min(1).max(BOUNDS.payloads)])
  .meta({ description: 'One payload, or an array of 1 to 1,000.' });

const KNOWN_CONTAINER_FIELDS: ReadonlySet<string> = new Set(CONTAINER_FIELDS);
