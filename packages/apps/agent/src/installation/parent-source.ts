import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { z } from 'zod';
import { expectOurs, type MetricsSource } from './metrics-source.ts';

/** What stands in place of an address where it is the process that started the agent. */
export const WATCH_PARENT = 'parent';

/** What an agent asks of the process that started it, over the channel between the two. */
const questionSchema = z.object({ kind: z.literal('metrics wanted'), id: z.int() });
/** The answer: metrics in Prometheus' text format. */
const answerSchema = z.object({ kind: z.literal('metrics'), id: z.int(), text: z.string() });

/** The agent's end of the channel: the part of `process` that is needed. */
export interface ParentChannel {
  send?(message: object): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Answers a message of an agent if it asks for metrics; undefined where it does not. */
export async function answerAgent(
  message: unknown,
  metrics: () => Promise<string>,
): Promise<z.output<typeof answerSchema> | undefined> {
  const question = questionSchema.safeParse(message).data;
  return question && { kind: 'metrics', id: question.id, text: await metrics() };
}

/** The metrics of the process that started this one. */
export function createParentSource(channel: ParentChannel, timeoutMs: number): MetricsSource {
  let asked = 0;
  return {
    name: 'the process that started the agent',
    read() {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => end(() => reject(new Error('it did not answer in time'))), timeoutMs);
        function end(settle: () => void): void {
          clearTimeout(timer);
          channel.off('message', hear);
          settle();
        }
        function hear(message: unknown): void {
          const answer = answerSchema.safeParse(message).data;
          if (answer?.id !== id) return;
          end(() => {
            try {
              resolve(expectOurs(readMetrics(answer.text)));
            } catch (error) {
              reject(error);
            }
          });
        }
        channel.on('message', hear);
        try {
          if (channel.send === undefined) throw new Error('there is no channel to it');
          channel.send({ kind: 'metrics wanted', id } satisfies z.input<typeof questionSchema>);
        } catch (error) {
          end(() => reject(error));
        }
      });
    },
  };
}
