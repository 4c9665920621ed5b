import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { metricsAnswerSchema, type metricsQuestionSchema } from '@tidewatch/contracts/agent/parent-channel';
import type { z } from 'zod';
import { type MetricsSource, requireTidewatchMetrics } from './metrics-source.ts';

/** The agent's end of the IPC channel: the members of `process` that it uses. */
export interface ParentChannel {
  send?(message: object): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Reads the metrics of the process that started this one. */
export function createParentSource(channel: ParentChannel, timeoutMs: number): MetricsSource {
  let asked = 0;
  return {
    name: 'the process that started the agent',
    read() {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const timeout = new Error(`the parent process did not answer within ${timeoutMs} ms`);
        const timer = setTimeout(() => end(() => reject(timeout)), timeoutMs);
        function end(settle: () => void): void {
          clearTimeout(timer);
          channel.off('message', onMessage);
          settle();
        }
        function onMessage(message: unknown): void {
          const answer = metricsAnswerSchema.safeParse(message).data;
          if (answer?.id !== id) return;
          end(() => {
            try {
              resolve(requireTidewatchMetrics(readMetrics(answer.text)));
            } catch (error) {
              reject(error);
            }
          });
        }
        channel.on('message', onMessage);
        try {
          if (channel.send === undefined)
            throw new Error('the agent has no IPC channel to its parent process');
          channel.send({ kind: 'metrics wanted', id } satisfies z.input<typeof metricsQuestionSchema>);
        } catch (error) {
          end(() => reject(error));
        }
      });
    },
  };
}
