import type { z } from 'zod';

/** The properties of one kind of channel. `Config` is its stored configuration, with secrets in clear text. */
export interface ChannelKindFacts<Config extends object> {
  /** The schema of the configuration in requests. */
  input: z.ZodType;
  /** Returns the form of `input` that a faulty configuration was meant to have; undefined if there is only one. */
  formOf?: (config: object) => z.ZodType;
  /** The schema of the configuration in responses, with secrets masked. */
  answer: z.ZodType;
  mask: (config: Config) => Record<string, unknown>;
  /** The origin that receives the secrets, and the secrets by path; a new origin requires them to be entered again. */
  exposure: (config: Config) => Exposure;
  /** The rate limit for messages to one destination: the long-run rate per second, and the burst after an idle time. */
  pace: { perSecond: number; burst: number };
  /** How the command line creates a configuration: the field for one address or key, or for several addresses. */
  shorthand: { field: string; isList: boolean };
}

export interface Exposure {
  /** The origin that receives the secrets; null if that cannot be changed. */
  origin: string | null;
  secrets: Readonly<Record<string, string>>;
}

export const NO_EXPOSURE: Exposure = { origin: null, secrets: {} };
