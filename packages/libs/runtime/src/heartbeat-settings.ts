import { z } from 'zod';
import { setting, wholeNumber } from './config.ts';

/** Who watches Tidewatch itself. */
export const heartbeatSettings = {
  heartbeatUrl: setting({
    env: 'TIDEWATCH_HEARTBEAT_URL',
    schema: z
      .string()
      .regex(/^https?:\/\/\S+$/i, 'must be an http or https address')
      .refine((text) => URL.canParse(text), 'must be an http or https address')
      .optional(),
    meaning:
      'Called by GET while a probe comes all the way from the gateways to the notifier, so that an outside watcher notices when Tidewatch is down.',
    example: 'https://hc-ping.com/5b1e3a52-0000-0000-0000-000000000000',
    secret: true,
  }),
  heartbeatSeconds: setting({
    env: 'TIDEWATCH_HEARTBEAT_SECONDS',
    schema: wholeNumber(5, 3_600).default(60),
    meaning: 'How often that is, in seconds.',
    default: '60',
    example: '300',
  }),
};
