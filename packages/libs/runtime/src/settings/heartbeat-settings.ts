import { z } from 'zod';
import { type ConfigOf, setting, wholeNumber } from './config.ts';

/** The setting of the interval at which evaluators send probes; the heartbeat to the outside watcher waits for probes. */
export const probeSettings = {
  probeSeconds: setting({
    env: 'TIDEWATCH_PROBE_SECONDS',
    schema: wholeNumber(1, 15).default(5),
    meaning:
      'How often evaluators send a probe on to the notifier, in seconds; the pipeline stands still once none came for four times as long.',
    example: '15',
  }),
};

/** The settings of the outside watcher, which notices when Tidewatch itself fails. */
export const heartbeatSettings = {
  ...probeSettings,
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
    schema: wholeNumber(1, 3_600).default(60),
    meaning: 'How often that is, in seconds.',
    example: '300',
  }),
};

/** The heartbeat settings of the process that calls the watcher. */
export function readHeartbeat(config: ConfigOf<typeof heartbeatSettings>) {
  const { heartbeatUrl: url, heartbeatSeconds, probeSeconds } = config;
  return { heartbeat: { url, everyMs: heartbeatSeconds * 1_000, probeEveryMs: probeSeconds * 1_000 } };
}
