import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { ProblemCode } from '@tidewatch/contracts/problems/problem-codes';
import { FairShare, type FairShareOptions, type Holding } from '@tidewatch/runtime/sharing/fair-share';
import { FairShareError } from '@tidewatch/runtime/sharing/fair-share-error';
import { exposeShare } from '@tidewatch/runtime/sharing/share-metrics';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';

export interface OrganizationShareOptions extends FairShareOptions {
  /** The name of the shared resource in metrics. */
  resource: string;
  /** The code of the problem for an organization that has used up its share: `organization_busy` by default. */
  code?: ProblemCode;
  /** 5 by default. */
  retryAfterSeconds?: number;
  metrics: Metrics;
}

/** A resource of one process that organizations share; refusals state whose share is used up. */
export class OrganizationShare {
  readonly #share: FairShare;
  readonly #code: ProblemCode;
  readonly #headers: Record<string, string>;

  constructor({ resource, code, retryAfterSeconds = 5, metrics, ...options }: OrganizationShareOptions) {
    this.#share = new FairShare(options);
    this.#code = code ?? 'organization_busy';
    this.#headers = { 'Retry-After': `${retryAfterSeconds}` };
    exposeShare(metrics, resource, this.#share);
  }

  /** Waits for the organization's turn. Throws a 429 or 503, or the reason of `signal`. */
  async take(organizationId: string, signal: AbortSignal, units = 1): Promise<Holding> {
    try {
      return await this.#share.take(organizationId, units, signal);
    } catch (error) {
      throw error instanceof FairShareError ? this.#problem(error) : error;
    }
  }

  /** Runs `work` in the organization's turn. */
  async run<R>(organizationId: string, signal: AbortSignal, work: () => Promise<R>): Promise<R> {
    const holding = await this.take(organizationId, signal);
    try {
      return await work();
    } finally {
      holding.release();
    }
  }

  #problem(error: FairShareError): ProblemError {
    const code = error.code === 'organization_full' ? this.#code : 'overloaded';
    return new ProblemError(code, { headers: this.#headers, cause: error });
  }
}
