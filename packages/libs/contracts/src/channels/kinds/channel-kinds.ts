import type { z } from 'zod';
import type { ChannelKindFacts } from './channel-kind.ts';
import { email } from './email.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

/** The kinds of channels, in the order of messages and documents. */
export const CHANNEL_KIND_FACTS = { slack, email, webhook, pagerduty };

type Facts = typeof CHANNEL_KIND_FACTS;
export type ChannelKind = keyof Facts;
export const CHANNEL_KINDS = Object.keys(CHANNEL_KIND_FACTS) as ChannelKind[];

export function isChannelKind(text: string): text is ChannelKind {
  return (CHANNEL_KINDS as readonly string[]).includes(text);
}

/** The configuration of a channel by its kind, secrets in clear. */
export type ConfigByKind = { [Kind in ChannelKind]: Parameters<Facts[Kind]['mask']>[0] };

/** A kind with its configuration. */
export type KindAndConfig = {
  [Kind in ChannelKind]: { kind: Kind; config: ConfigByKind[Kind] };
}[ChannelKind];

/** A kind with its configuration as clients write it, after defaults. */
export type KindAndInput = {
  [Kind in ChannelKind]: { kind: Kind; config: z.output<Facts[Kind]['input']> };
}[ChannelKind];

/** The facts of a kind, for its own configuration. */
export function factsOf<Kind extends ChannelKind>(kind: Kind): ChannelKindFacts<ConfigByKind[Kind]> {
  return CHANNEL_KIND_FACTS[kind] as unknown as ChannelKindFacts<ConfigByKind[Kind]>;
}
