import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { FairShare, Holding } from '@tidewatch/runtime/sharing/fair-share';
import { FairShareError } from '@tidewatch/runtime/sharing/fair-share-error';

/**
 * The bytes of a share that one request holds until it ends, for its body as received or as decompressed. `tryAdd` takes
 * free bytes without waiting; `add` waits for them.
 */
export class RequestBytes {
  readonly #share: FairShare;
  readonly #organizationId: string;
  #counted = 0;
  #holdings: Holding[] | null = null;

  constructor(share: FairShare, organizationId: string) {
    this.#share = share;
    this.#organizationId = organizationId;
  }

  get held(): number {
    let held = this.#counted;
    if (this.#holdings !== null) for (const { units } of this.#holdings) held += units;
    return held;
  }

  /** Adds bytes if they are free; otherwise adds none and returns false. */
  tryAdd(bytes: number): boolean {
    if (bytes <= 0) return true;
    if (!this.#share.tryHold(this.#organizationId, bytes)) return false;
    this.#counted += bytes;
    return true;
  }

  /** Takes bytes once it is the organization's turn. Rejects with a 503, or with the reason of `signal`. */
  async add(bytes: number, signal: AbortSignal): Promise<void> {
    if (this.tryAdd(bytes)) return;
    try {
      const holding = await this.#share.take(this.#organizationId, bytes, signal);
      this.#holdings ??= [];
      this.#holdings.push(holding);
    } catch (error) {
      throw error instanceof FairShareError ? refusal(error) : error;
    }
  }

  /** Releases all but `bytes`. */
  shrinkTo(bytes: number): void {
    let excess = this.held - bytes;
    if (this.#holdings !== null)
      for (const holding of this.#holdings) {
        if (excess <= 0) return;
        const given = Math.min(excess, holding.units);
        holding.shrinkTo(holding.units - given);
        excess -= given;
      }
    if (excess <= 0) return;
    this.#counted -= excess;
    this.#share.giveBack(this.#organizationId, excess);
  }

  release(): void {
    this.shrinkTo(0);
  }
}

function refusal({ code }: FairShareError): ProblemError {
  const whose = code === 'organization_full' ? 'of this organization ' : '';
  return new ProblemError('ingest_unavailable', {
    detail: `Too many bodies ${whose}are under way. Send fewer at once, or smaller ones.`,
    headers: { 'Retry-After': '1' },
  });
}
