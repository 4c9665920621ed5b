/** The progress of each connection of a plan, in payloads: how many were acknowledged, and how many were begun to be sent. */
export interface Ledger {
  acknowledged: number[];
  sent: number[];
}

export function acknowledgedPayloads(ledger: Ledger): number {
  return ledger.acknowledged.reduce((sum, count) => sum + count, 0);
}
