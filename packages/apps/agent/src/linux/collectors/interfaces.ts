import { join } from 'node:path';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import { CounterRates, countersByDevice } from '../../collectors/counter-rates.ts';
import { readText, tryNumber, tryText } from '../files.ts';
import { createInterfaceFacts, type InterfaceProperties } from '../interface-facts.ts';
import {
  borderInterfaces,
  type InterfaceCounters,
  parseInterfaces,
  type Transfer,
  transferRates,
} from '../proc-host.ts';

/** How long the properties of interfaces are kept while their names stay the same, ms; a machine may have thousands. */
const FACTS_MS = 60_000;
const IFF_UP = 1;
const FIELDS = ['received', 'sent', 'packetsReceived', 'packetsSent', 'errors', 'drops'] as const;
const MEGABIT = 1_000_000;

/**
 * Reads the interfaces as parts, and the traffic that enters or leaves the host. Ports of bonds, of bridges and of other
 * hardware are no parts, nor are the ends of containers; a bond says how many of its ports are up.
 */
export function createInterfaceCollector(options: { procRoot: string; sysRoot: string }): HostCollector {
  const { procRoot, sysRoot } = options;
  const counters = new CounterRates();
  /** Interfaces that were up, by name and number: one that was never in use is not reported as down. */
  let used = new Set<string>();
  let facts: { at: number; names: string; of: Map<string, InterfaceProperties> } | undefined;
  let before: { at: number; network: ReadonlyMap<string, Transfer> } | undefined;

  function factsOf(at: number, network: ReadonlyMap<string, InterfaceCounters>) {
    const names = [...network.keys()].join(' ');
    if (facts === undefined || facts.names !== names || at - facts.at >= FACTS_MS) {
      const read = createInterfaceFacts(sysRoot);
      facts = { at, names, of: new Map([...network.keys()].map((name) => [name, read(name)])) };
    }
    return facts.of;
  }

  return {
    name: 'interfaces',
    read(at) {
      const network = parseInterfaces(readText(procRoot, 'net/dev'));
      const known = factsOf(at, network);
      const border = borderInterfaces(network.keys(), (name) => known.get(name) as InterfaceProperties);
      const metrics: Record<string, number> = {};
      if (before !== undefined && network.size > 0) {
        const sums = transferRates(before.network, network, border, (at - before.at) / 1_000);
        metrics.network_receive_bytes_per_second = sums.received;
        metrics.network_transmit_bytes_per_second = sums.sent;
      }
      before = { at, network };
      const rates = counters.update(at, countersByDevice(network, FIELDS));
      const stillUsed = new Set<string>();
      const parts: FoundPart[] = [];
      for (const [name, properties] of known) {
        if (!isReported(name, known, border)) continue;
        const identity = `${name} ${properties.index}`;
        const part = toPart(name, properties, rates, sysRoot);
        const { packetsReceived = 0, packetsSent = 0 } = network.get(name) ?? {};
        if (part.metrics.up !== 1 && packetsReceived + packetsSent === 0 && !used.has(identity)) continue;
        stillUsed.add(identity);
        parts.push(part);
      }
      used = stillUsed;
      const rank = ({ labels }: FoundPart) => (labels?.type === 'hardware' ? 0 : 1);
      return { metrics, parts: parts.toSorted((a, b) => rank(a) - rank(b)) };
    },
  };
}

/** Whether an interface is a part of its own, which it is if people would look for it. */
function isReported(
  name: string,
  known: ReadonlyMap<string, InterfaceProperties>,
  border: readonly string[],
): boolean {
  const facts = known.get(name) as InterfaceProperties;
  if (name === 'lo' || facts.isRepresentor) return false;
  const master = known.get(facts.master ?? '');
  if (!facts.isVirtual) return master === undefined || master.type === 'bridge';
  // Inside a container one end of a veth is the link itself.
  if (border.includes(name)) return true;
  if (master !== undefined || facts.type === 'veth' || /^ifb\d+$/.test(name)) return false;
  // A bridge is the link of this host only if it has a port to the outside; containers and guests have bridges without.
  const leadsOut = (port: string) => /^(hardware|bond|vlan)$/.test(known.get(port)?.type ?? '');
  return facts.type !== 'bridge' || facts.ports.some(leadsOut);
}

function toPart(
  name: string,
  { type }: InterfaceProperties,
  rates: ReadonlyMap<string, number>,
  sysRoot: string,
): FoundPart {
  const folder = join(sysRoot, 'class/net', name);
  const metrics: Record<string, number> = { up: isUp(folder) ? 1 : 0 };
  const rate = (field: (typeof FIELDS)[number]) => rates.get(`${name} ${field}`);
  const values = {
    receive_bytes_per_second: rate('received'),
    transmit_bytes_per_second: rate('sent'),
    receive_packets_per_second: rate('packetsReceived'),
    transmit_packets_per_second: rate('packetsSent'),
    errors_per_second: rate('errors'),
    drops_per_second: rate('drops'),
    carrier_change_count: tryNumber(folder, 'carrier_changes'),
  };
  for (const [metric, value] of Object.entries(values)) if (value !== undefined) metrics[metric] = value;
  // The kernel says -1 where it does not know the speed.
  const megabits = tryNumber(folder, 'speed') ?? -1;
  if (megabits > 0) {
    const bytes = Math.max(values.receive_bytes_per_second ?? 0, values.transmit_bytes_per_second ?? 0);
    metrics.speed_bits_per_second = megabits * MEGABIT;
    if (values.receive_bytes_per_second !== undefined)
      metrics.utilization_percent = ((bytes * 8) / (megabits * MEGABIT)) * 100;
  }
  if (type === 'bond') Object.assign(metrics, bondMetrics(sysRoot, folder));
  return { kind: 'network', name, labels: { type }, metrics };
}

/** Whether the link works. Some drivers do not know, as for tunnels; then it does if the interface was set up. */
function isUp(folder: string): boolean {
  const state = tryText(folder, 'operstate').trim();
  if (state !== 'unknown') return state === 'up';
  return (Number(tryText(folder, 'flags').trim()) & IFF_UP) !== 0;
}

function bondMetrics(sysRoot: string, folder: string): Record<string, number> {
  const ports = tryText(folder, 'bonding/slaves').split(/\s+/).filter(Boolean);
  const working = ports.filter(
    (port) => tryText(sysRoot, 'class/net', port, 'bonding_slave/mii_status').trim() === 'up',
  );
  return { ports: ports.length, ports_up: working.length };
}
