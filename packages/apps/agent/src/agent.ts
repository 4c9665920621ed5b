import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type Collector, toPayload } from './reading.ts';
import type { Sender } from './sending/sender.ts';

export interface AgentParts {
  collector: Collector;
  sender: Sender;
  logger: Logger;
  host: string;
  tags: Readonly<Record<string, string>>;
  intervalMs: number;
}

export interface Agent {
  /** Starts the agent; resolves after the first sample, which is the second reading, because rates need two readings. */
  start(): Promise<void>;
  stop(): void;
}

/** The time between the first two readings, ms. */
const FIRST_INTERVAL_MS = 500;

/** Reads the machine every `intervalMs` and passes each reading to the sender as a payload. */
export function createAgent({ collector, sender, logger, host, tags, intervalMs }: AgentParts): Agent {
  let timer: NodeJS.Timeout | undefined;
  let reading = false;

  async function sample(): Promise<void> {
    if (reading) return; // the previous reading takes longer than the interval
    reading = true;
    try {
      sender.enqueue(toPayload(await collector.read(), host, tags));
    } catch (error) {
      logger.error(
        { err: error },
        'could not read the metrics of this machine; no sample is sent; retrying at the next interval',
      );
    } finally {
      reading = false;
    }
  }

  return {
    async start() {
      await collector.read();
      await new Promise((resolve) => setTimeout(resolve, FIRST_INTERVAL_MS));
      await sample();
      timer = setInterval(sample, intervalMs);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
