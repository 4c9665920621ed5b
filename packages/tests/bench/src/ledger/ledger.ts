/** The progress of each connection of a plan: how many payloads were acknowledged, and how many were started to be sent. */
export interface Ledger {
  acknowledged: number[];
  sent: number[];
}

export function acknowledgedPayloads(ledger: Ledger): number {
  return ledger.acknowledged.reduce((sum, count) => sum + count, 0);
}
