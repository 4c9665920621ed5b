import type { z } from 'zod';

/** The properties of one kind of channel. `Config` is its stored configuration, with secrets in clear text. */
export interface ChannelKindFacts<Config extends object> {
  /** The configuration as clients write it. */
  input: z.ZodType;
  /** The form of `input` that a faulty configuration is meant as; without it, `input` itself. */
  formOf?: (config: object) => z.ZodType;
  /** The configuration as it is read back, secrets masked. */
  answer: z.ZodType;
  mask: (config: Config) => Record<string, unknown>;
  /** The origin that receives the secrets, and the secrets by path; a new origin requires them to be entered again. */
  exposure: (config: Config) => Exposure;
  /** The rate limit for messages to one destination: the long-run rate per second, and the burst after an idle time. */
  pace: { perSecond: number; burst: number };
  /** The configuration from destinations as the command line takes them: one address or key, or several addresses. */
  shorthand: { field: string; isList: boolean };
}

export interface Exposure {
  /** null where no secret is sent to an address that may be changed. */
  origin: string | null;
  secrets: Readonly<Record<string, string>>;
}

export const NO_EXPOSURE: Exposure = { origin: null, secrets: {} };
