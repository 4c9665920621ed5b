import { z } from 'zod';

/** The request of an agent for metrics, sent over the IPC channel to the process that started it. */
export const metricsQuestionSchema = z.object({ kind: z.literal('metrics wanted'), id: z.int() });

/** The answer of the process that started the agent: metrics in Prometheus' text format. */
export const metricsAnswerSchema = z.object({ kind: z.literal('metrics'), id: z.int(), text: z.string() });

/** Creates the answer to a message of an agent that asks for metrics; undefined for any other message. */
export async function answerAgent(
  message: unknown,
  metrics: () => Promise<string>,
): Promise<z.output<typeof metricsAnswerSchema> | undefined> {
  const question = metricsQuestionSchema.safeParse(message).data;
  return question && { kind: 'metrics', id: question.id, text: await metrics() };
}
