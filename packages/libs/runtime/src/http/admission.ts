import type { ProblemCode } from '@tidewatch/contracts/problems/problem-codes';

/** Why ingest is closed, as the 503 reports it. */
export interface Closure {
  code: ProblemCode;
  reason: string;
  retryAfterSeconds: number;
}

/** The gate in front of ingest. Several parts may close it at once, each under its own code. */
export interface Admission {
  /** Returns why ingest is closed, or null while it is open. */
  closure(): Closure | null;
  close(closure: Closure): void;
  /** Removes the closure of this code; the gate opens once no closure is left. */
  open(code: ProblemCode): void;
}

export function createAdmission(): Admission {
  const closures = new Map<ProblemCode, Closure>();
  let current: Closure | null = null;
  const first = () => closures.values().next().value ?? null;
  return {
    closure: () => current,
    close(closure) {
      closures.set(closure.code, closure);
      current = first();
    },
    open(code) {
      closures.delete(code);
      current = first();
    },
  };
}
