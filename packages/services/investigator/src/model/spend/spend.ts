import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { addSpend, lockSpend, readOwnSpend } from '@tidewatch/store/investigations/spend';
import { type Budget, minus, refusalReason, type Spend, severityClassOf } from './budget.ts';

/** A reservation of the max spend of an allowed call. */
export interface Reservation {
  /** Records the actual spend; with `null`, where it is unknown, the reserved spend stays. */
  settle(took: Spend | null): Promise<void>;
}

/** Reserves the maximum spend of a model call before the call. */
export interface SpendLedger {
  reserve(wanted: Spend): Promise<Reservation | { refused: string }>;
}

export interface SpendOfStore {
  transact<R>(work: (tx: Transaction) => Promise<R>): Promise<R>;
  clock(): number;
  budget: Budget;
}

/**
 * The spend ledger in the table `investigation_spend`, which all processes share. A process that dies between reserve and
 * settle leaves its reservation, so that the spend is counted too high, never too low.
 */
export function spendOfStore(
  { transact, clock, budget }: SpendOfStore,
  organizationId: string,
  severity: string | null,
): SpendLedger {
  const severityClass = severityClassOf(severity);
  return {
    async reserve(wanted) {
      const hour = Math.floor(clock() / HOUR_MS) * HOUR_MS;
      const row = { organizationId, hour, severityClass };
      const refused = await transact(async (tx) => {
        const spent = await lockSpend(tx, hour);
        const own = await readOwnSpend(tx, organizationId, hour);
        const why = refusalReason(wanted, severityClass, { ...spent, own }, budget);
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
