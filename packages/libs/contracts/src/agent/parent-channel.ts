import { z } from 'zod';

/** The value of the agent's `--watch` that names the process that started the agent. */
export const WATCH_PARENT = 'parent';

/** The agent's request to the process that started it, over the IPC channel. */
export const metricsQuestionSchema = z.object({ kind: z.literal('metrics wanted'), id: z.int() });

/** The parent's answer: metrics in Prometheus' text format. */
export const metricsAnswerSchema = z.object({ kind: z.literal('metrics'), id: z.int(), text: z.string() });

/** Creates the answer to a message of an agent that asks for metrics; undefined for any other message. */
export async function answerAgent(
  message: unknown,
  metrics: () => Promise<string>,
): Promise<z.output<typeof metricsAnswerSchema> | undefined> {
  const question = metricsQuestionSchema.safeParse(message).data;
  return question && { kind: 'metrics', id: question.id, text: await metrics() };
}
