import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { timestampInputSchema } from '../time/timestamp.ts';
import { type IdPrefix, isId } from '../values/id.ts';
import { textSchema } from '../values/text.ts';

const MAX_QUESTION = 500;

const reference = (prefix: IdPrefix, of: string, description: string) =>
  z
    .string()
    .superRefine((id, context) => {
      if (isId(prefix, id)) return;
      const message = `Must be the id of ${of}.`;
      addFault(context, 'invalid_value', message);
    })
    .nullable()
    .default(null)
    .meta({ description, override: referenceForm(prefix) });

const referenceForm = (prefix: IdPrefix) => ({
  type: ['string', 'null'] as ('string' | 'null')[],
  pattern: `^${prefix}_[0-9a-f]{32}$`,
  examples: [`${prefix}_0197f3a1c0de7b3c9a51d2e4f6a80b1c`],
});

/** For the API document: a request gives either `alert_id` or `service_id`. */
const ONE_OF = ['alert_id', 'service_id'].map((name) => ({
  properties: { [name]: { type: 'string' as const } },
  required: [name],
}));

export const INVESTIGATION_EXAMPLES = {
  alert: { alert_id: 'alr_0197f3a1c0de7b3c9a51d2e4f6a80b1c' },
  service: {
    service_id: 'svc_0197f3a1c0de7b3c9a51d2e4f6a80b1c',
    metric: 'cpu_percent',
    from: '2026-11-21T13:36:28.000Z',
    to: '2026-11-21T14:36:28.000Z',
    question: 'Why is it slow?',
  },
};

/**
 * The body of a requested investigation. The caller checks the length of the window, because that depends on the present
 * time.
 */
export const investigationInputSchema = z
  .strictObject({
    alert_id: reference('alr', 'an alert', 'What is to be explained; or else `service_id`.'),
    service_id: reference('svc', 'a service', 'Which host is to be looked at; or else `alert_id`.'),
    metric: textSchema(1, BOUNDS.metricName)
      .nullable()
      .default(null)
      .meta({
        description:
          'The metric of the service that it is about; null: the host altogether. An alert has its own.',
        examples: ['cpu_percent'],
      }),
    from: timestampInputSchema.optional().meta({
      description:
        'Start of the window, a minute to 24 hours before its end; by default an hour, or what an alert asks for.',
    }),
    to: timestampInputSchema.optional().meta({
      description: 'End of the window, by default now; what is later than now is taken for now.',
    }),
    question: textSchema(1, MAX_QUESTION)
      .nullable()
      .default(null)
      .meta({ description: 'What is asked, in words.', examples: ['Why is it slow?'] }),
  })
  .superRefine(
    (input, context) => {
      const { alert_id: alert, service_id: service, metric } = input as Partial<InvestigationInput>;
      const add = (name: string, code: string, message: string) => addFault(context, code, message, [name]);
      if (alert == null && service == null) add('alert_id', 'required', 'Give it, or service_id.');
      if (alert == null) return;
      if (service != null) add('service_id', 'conflicting', 'Must not come with alert_id.');
      if (metric != null) add('metric', 'conflicting', 'Must not come with alert_id.');
    },
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
  .meta({
    id: 'InvestigationInput',
    description: 'What is to be investigated: an alert, or a service in a window.',
    override: { oneOf: ONE_OF },
    examples: [INVESTIGATION_EXAMPLES.service],
  });

/** A requested investigation; times are ms since the epoch. */
export type InvestigationInput = z.output<typeof investigationInputSchema>;
