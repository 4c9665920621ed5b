/** How far each connection of a plan got, in payloads: what was acknowledged, and what was begun to be sent. */
export interface Ledger {
  acknowledged: number[];
  sent: number[];
}

export function acknowledgedPayloads(ledger: Ledger): number {
  return ledger.acknowledged.reduce((sum, count) => sum + count, 0);
}
