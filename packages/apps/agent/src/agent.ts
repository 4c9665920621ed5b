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
  /** Resolves after the first sample was taken; it is the second look, since rates need two. */
  start(): Promise<void>;
  stop(): void;
}

const FIRST_LOOK_MS = 500;

/** Looks at the machine at a steady pace and hands what it saw to the sender. */
export function createAgent({ collector, sender, logger, host, tags, intervalMs }: AgentParts): Agent {
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  async function look(): Promise<void> {
    if (looking) return; // a look that takes longer than the interval is not overtaken
    looking = true;
    try {
      sender.enqueue(toPayload(await collector.read(), host, tags));
    } catch (error) {
      logger.error({ err: error }, 'could not read this machine');
    } finally {
      looking = false;
    }
  }

  return {
    async start() {
      await collector.read();
      await new Promise((resolve) => setTimeout(resolve, FIRST_LOOK_MS));
      await look();
      timer = setInterval(look, intervalMs);
    },
    stop() {
      clearInterval(timer);
    },
  };
}
