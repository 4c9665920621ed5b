/** A real part that suites run against, or why there is none. */
export type Part<Address> =
  | { state: 'given' | 'started'; address: Address; detail: string }
  | { state: 'lacked'; detail: string };

/** A part that was opened, and how to let it go. */
export interface OpenPart<Address> {
  part: Part<Address>;
  close(): Promise<void>;
}

export const KEPT = async (): Promise<void> => undefined;
