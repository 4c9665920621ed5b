/** A change that a user asks for, as a mutation of the API that takes no further arguments. */
export interface Action {
  isPending: boolean;
  /** Why the last attempt failed. */
  error: Error | null;
  mutate: () => void;
}
