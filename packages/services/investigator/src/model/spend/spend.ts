import type { Transaction } from '@tidewatch/store/database/connection';
import { addSpend, lockSpend, readOwnSpend } from '@tidewatch/store/investigations/spend';
import { type Budget, minus, type Spend, severityClassOf, whyRefused } from './budget.ts';

/** A call that may be made. */
export interface Reservation {
  /** Says what it took; `null` where nobody knows, and then what was reserved stays spent. */
  settle(took: Spend | null): Promise<void>;
}

/** Asked before each call of a model: everything that may be spent is spent before it is. */
export interface SpendBook {
  reserve(wanted: Spend): Promise<Reservation | { refused: string }>;
}

export interface SpendOfStore {
  transact<R>(work: (tx: Transaction) => Promise<R>): Promise<R>;
  clock(): number;
  budget: Budget;
}

const HOUR_MS = 3_600_000;

/**
 * Limits that all processes hold together, by the table `investigation_spend`. A process that dies between reserving
 * and settling leaves its reservation spent: too much is counted then, and never too little.
 */
export function spendOfStore(
  { transact, clock, budget }: SpendOfStore,
  organizationId: string,
  severity: string | null,
): SpendBook {
  const severityClass = severityClassOf(severity);
  return {
    async reserve(wanted) {
      const hour = Math.floor(clock() / HOUR_MS) * HOUR_MS;
      const row = { organizationId, hour, severityClass };
      const refused = await transact(async (tx) => {
        const spent = await lockSpend(tx, hour);
        const own = await readOwnSpend(tx, organizationId, hour);
        const why = whyRefused(wanted, severityClass, { ...spent, own }, budget);
        if (why === null) await addSpend(tx, row, wanted);
        return why;
      });
      if (refused !== null) return { refused };
      return {
        async settle(took) {
          if (took !== null) await transact((tx) => addSpend(tx, row, minus(took, wanted)));
        },
      };
    },
  };
}
