/** Why units were not granted. `full` is only returned by `tryTake`: other organizations hold the units. */
export type ShareRefusal = 'organization_full' | 'timeout' | 'full' | 'aborted';

/**
 * The error with which `take` rejects. If the caller's signal was aborted, `take` rejects with the signal's reason
 * instead.
 */
export class FairShareError extends Error {
  /**
   * `organization_full`: the organization's own share or queue is used up. `timeout`: others held all units for
   * `maxWaitMs`.
   */
  readonly code: 'organization_full' | 'timeout';

  constructor(code: FairShareError['code']) {
    super(
      code === 'timeout'
        ? 'Other organizations held the whole capacity until the time limit.'
        : 'The organization has used up its own share or its own queue.',
    );
    this.name = 'FairShareError';
    this.code = code;
  }
}
