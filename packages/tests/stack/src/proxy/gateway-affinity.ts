import { hash } from 'node:crypto';

/** How long a gateway that does not accept connections is left out, ms. */
const AWAY_MS = 1_000;

/**
 * Gives each client one gateway for all of its requests while it is there: gateways compute rates of counters from the last values that
 * came by them.
 */
export interface GatewayAffinity {
  /** The gateway of a client at this address. */
  of(address: string | undefined): string;
  /** Leaves out a gateway for a second, because it does not accept connections. */
  leaveOut(url: string): void;
}

/** Creates it for gateways at these addresses. */
export function createGatewayAffinity(gateways: readonly string[]): GatewayAffinity {
  const away = new Map<string, number>();
  return {
    of(address) {
      const present = gateways.filter((url) => (away.get(url) ?? 0) <= performance.now());
      const candidates = present.length === 0 ? gateways : present;
      const number = hash('sha256', address ?? '', 'buffer').readUInt32BE(0);
      return candidates[number % candidates.length] as string;
    },
    leaveOut: (url) => void away.set(url, performance.now() + AWAY_MS),
  };
}
