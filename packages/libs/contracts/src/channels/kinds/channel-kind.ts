import type { z } from 'zod';

/** What the contract states of a kind of channel, whose configuration is `Config` with its secrets in clear. */
export interface ChannelKindFacts<Config extends object> {
  /** The configuration as clients write it. */
  input: z.ZodType;
  /** The form of `input` that a faulty configuration is meant as; without it, `input` itself. */
  formOf?: (config: object) => z.ZodType;
  /** The configuration as it is read back, secrets masked. */
  answer: z.ZodType;
  mask: (config: Config) => Record<string, unknown>;
  /** Where it sends secrets as they are, and these by their path; a change of the origin requires them again. */
  exposure: (config: Config) => Exposure;
  /** Messages to one destination: per second in the long run, and the burst after an idle time. */
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
