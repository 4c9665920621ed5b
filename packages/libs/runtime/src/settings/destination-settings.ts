import { isIP } from 'node:net';
import { z } from 'zod';
import { type ConfigOf, setting } from './config.ts';
import { type consoleSettings, consoleUrl } from './console-settings.ts';
import { isNetwork } from './http-settings.ts';

const ON = ['on', 'true', 'yes', '1'];
const OFF = ['off', 'false', 'no', '0'];

/**
 * Schema of the private addresses that notifications may be sent to: all, none, or a list of networks; a bare address is a
 * network of one.
 */
const allowedSchema = z
  .string()
  .default('false')
  .transform((text, context): boolean | string[] => {
    const lower = text.toLowerCase();
    if (ON.includes(lower) || OFF.includes(lower)) return ON.includes(lower);
    const networks = text.split(',').map((each) => each.trim());
    if (networks.every(isNetwork)) return networks.map(asCidr);
    context.addIssue({ code: 'custom', message: 'must be true, false, or a list of addresses and CIDRs' });
    return z.NEVER;
  });

function asCidr(network: string): string {
  return network.includes('/') ? network : `${network}/${isIP(network) === 4 ? 32 : 128}`;
}

const publicUrlSchema = z
  .string()
  .regex(/^https?:\/\/[^\s?#]+$/i, 'must be an http or https address without query and fragment')
  .refine((text) => URL.canParse(text), 'must be an http or https address')
  .transform((text) => text.replace(/\/+$/, ''))
  .optional();

/** The settings of every process that delivers notifications. */
export const destinationSettings = {
  smtpUrl: setting({
    env: 'TIDEWATCH_EMAIL_SMTP_URL',
    schema: z
      .string()
      .regex(/^smtps?:\/\/[^\s/]+\/?$/i, 'must be smtp://user:password@host:port or smtps://…')
      .refine((text) => URL.canParse(text), 'must be smtp://user:password@host:port or smtps://…')
      .optional(),
    meaning: 'The mail server: smtp:// with STARTTLS where it is offered, smtps:// with TLS from the start.',
    example: 'smtp://user:password@mail.example.com:587',
    secret: true,
  }),
  emailFrom: setting({
    env: 'TIDEWATCH_EMAIL_FROM',
    schema: z
      .string()
      .regex(
        /^(?:[^\p{Cc}<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
        'must be an address or Name <address>',
      )
      .default('Tidewatch <tidewatch@localhost>'),
    meaning: 'Sender of email.',
    example: 'Tidewatch <tidewatch@example.com>',
  }),
  allowPrivateDestinations: setting({
    env: 'TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS',
    schema: allowedSchema,
    meaning:
      'Which private addresses channels and the mail server may have: true for all, or addresses and CIDRs.',
    default: 'false',
    example: '10.20.0.0/16,127.0.0.1',
  }),
  publicUrl: setting({
    env: 'TIDEWATCH_PUBLIC_URL',
    schema: publicUrlSchema,
    meaning: 'Where people reach Tidewatch; links in messages begin with it.',
    default: 'none, and then there are no links',
    example: 'https://tidewatch.example.com',
  }),
};

/** The destination settings in the form that senders need. */
export function readDestinationOptions(
  config: ConfigOf<typeof destinationSettings & typeof consoleSettings>,
) {
  const { smtpUrl, emailFrom: from } = config;
  return {
    allowPrivate: config.allowPrivateDestinations,
    email: smtpUrl === undefined ? null : { smtpUrl, from },
    publicUrl: consoleUrl(config),
  };
}
