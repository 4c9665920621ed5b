import type { HostCollector } from '../../collectors/collector.ts';
import { CounterRates } from '../../collectors/counter-rates.ts';
import { readText } from '../files.ts';

/**
 * What the states of TCP count as, by their number in the kernel: the two FIN_WAIT together, and LAST_ACK as closing. A
 * connection that is being set up has a state of its own in the list, 12, and a closed socket (7) is no connection.
 */
const STATES: Readonly<Record<number, string>> = {
  1: 'tcp_established',
  2: 'tcp_syn_sent',
  3: 'tcp_syn_recv',
  4: 'tcp_fin_wait',
  5: 'tcp_fin_wait',
  6: 'tcp_time_wait',
  8: 'tcp_close_wait',
  9: 'tcp_closing',
  10: 'tcp_listen',
  11: 'tcp_closing',
  12: 'tcp_syn_recv',
};
/** The max number of connections that are counted one by one; the list of more would take the kernel too long to write. */
const MAX_LISTED = 5_000;
/** How often connections are counted one by one, ms: the kernel walks a table of all that are possible, which takes it 7 ms. */
const COUNT_EVERY_MS = 30_000;

/** The counters of /proc/net/snmp and /proc/net/netstat that become rates, by group and field. */
const RATES: Readonly<Record<string, string>> = {
  'Tcp RetransSegs': 'tcp_retransmits_per_second',
  'Tcp EstabResets': 'tcp_resets_per_second',
  'Tcp AttemptFails': 'tcp_failed_attempts_per_second',
  'TcpExt ListenOverflows': 'tcp_listen_overflows_per_second',
  'Udp RcvbufErrors': 'udp_receive_buffer_errors_per_second',
};

/** Reads the connections of TCP by state, and what went wrong with TCP and UDP. */
export function createSocketCollector({ procRoot }: { procRoot: string }): HostCollector {
  const counters = new CounterRates();
  let counted: { at: number; states: Record<string, number> } | undefined;
  return {
    name: 'sockets',
    read(at) {
      const net = (file: string) => readText(procRoot, 'net', file);
      const fields = new Map([...parseFields(net('snmp')), ...parseFields(net('netstat'))]);
      const sockets = net('sockstat') + net('sockstat6');
      const numbers = [...sockets.matchAll(/^TCP6?: inuse (\d+)(?: orphan (\d+) tw (\d+))?/gm)];
      const sumOf = (group: number) => numbers.reduce((sum, match) => sum + Number(match[group] ?? 0), 0);
      const metrics: Record<string, number> = {};
      if (numbers.length > 0) {
        if (sumOf(1) + sumOf(3) > MAX_LISTED) counted = undefined;
        else if (counted === undefined || at - counted.at >= COUNT_EVERY_MS)
          counted = { at, states: countStates(net('tcp') + net('tcp6')) };
        Object.assign(metrics, counted?.states);
        metrics.tcp_time_wait = sumOf(3);
        metrics.tcp_orphans = sumOf(2);
      }
      const established = fields.get('Tcp CurrEstab');
      if (established !== undefined) metrics.tcp_established = established;
      const rates = counters.update(at, fields);
      for (const [field, metric] of Object.entries(RATES)) {
        const rate = rates.get(field);
        if (rate !== undefined) metrics[metric] = rate;
      }
      return { metrics };
    },
  };
}

/** Parses two lines for each group, one of names and one of values, to values by group and name. */
function parseFields(text: string): [string, number][] {
  const lines = text.split('\n').map((line) => line.split(' '));
  return lines.flatMap(([group, ...values], index): [string, number][] => {
    const [above, ...names] = lines[index - 1] ?? [];
    if (index % 2 === 0 || above !== group || group === undefined) return [];
    return names.map((name, place) => [`${group.slice(0, -1)} ${name}`, Number(values[place])]);
  });
}

function countStates(list: string): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const metric of Object.values(STATES)) metrics[metric] = 0;
  for (const [, state = ''] of list.matchAll(/^ *\d+: \S+ \S+ ([0-9A-F]{2}) /gm)) {
    const metric = STATES[Number.parseInt(state, 16)];
    if (metric !== undefined) metrics[metric] = (metrics[metric] ?? 0) + 1;
  }
  return metrics;
}
