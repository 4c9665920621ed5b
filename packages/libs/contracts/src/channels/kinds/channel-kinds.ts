import type { z } from 'zod';
import type { ChannelKindFacts } from './channel-kind.ts';
import { email } from './email.ts';
import { pagerduty } from './pagerduty.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

/** The properties of all kinds of channels, in the order of messages and documents. */
export const CHANNEL_KIND_FACTS = { slack, email, webhook, pagerduty };

type Facts = typeof CHANNEL_KIND_FACTS;
export type ChannelKind = keyof Facts;
export const CHANNEL_KINDS = Object.keys(CHANNEL_KIND_FACTS) as ChannelKind[];

export function isChannelKind(text: string): text is ChannelKind {
  return (CHANNEL_KINDS as readonly string[]).includes(text);
}

/** The stored configuration of a channel by its kind, with secrets in clear text. */
export type ConfigByKind = { [Kind in ChannelKind]: Parameters<Facts[Kind]['mask']>[0] };

/** A kind of channel with a stored configuration. */
export type KindAndConfig = {
  [Kind in ChannelKind]: { kind: Kind; config: ConfigByKind[Kind] };
}[ChannelKind];

/** A kind of channel with a configuration of a request, after defaults. */
export type KindAndInput = {
  [Kind in ChannelKind]: { kind: Kind; config: z.output<Facts[Kind]['input']> };
}[ChannelKind];

/** The properties of a kind, typed for its configuration. */
export function factsOf<Kind extends ChannelKind>(kind: Kind): ChannelKindFacts<ConfigByKind[Kind]> {
  return CHANNEL_KIND_FACTS[kind] as unknown as ChannelKindFacts<ConfigByKind[Kind]>;
}
