import type { SenderOptions } from './sender.ts';

type Log = (fields: object, message: string) => void;

/** Reports the faults of a sender to the log. */
export function logFaults(
  logger: Record<'error' | 'warn', Log>,
): Pick<SenderOptions, 'onFault' | 'onUnusableName'> {
  return {
    onFault: (error) => logger.error({ err: error }, 'a notification message could not be built'),
    onUnusableName: ({ host, reason }) =>
      logger.warn({ host, reason }, 'a host name of a destination cannot be used'),
  };
}
