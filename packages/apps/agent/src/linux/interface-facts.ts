import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tryLink, tryNames, tryText } from './files.ts';
import type { InterfaceFacts } from './proc-host.ts';

/** The types of stacked interfaces, as the kernel names them in `uevent`. */
const STACKED_TYPES = new Set(['vlan', 'bridge', 'bond', 'vxlan', 'wireguard', 'gretap']);

/** The properties by which parts are chosen, besides those by which traffic is counted. */
export interface InterfaceProperties extends InterfaceFacts {
  /** The number of the interface, which a new one of the same name does not have. */
  index: string;
  /** hardware, veth, or the type of a virtual interface: bond, bridge, vlan, wireguard, tun or other. */
  type: string;
  /** The ports of a bridge. */
  ports: string[];
}

/** Creates a function that reads the properties of an interface from /sys. */
export function createInterfaceFacts(sysRoot: string): (name: string) => InterfaceProperties {
  const folder = (name: string) => join(sysRoot, 'class/net', name);
  const indexOf = (name: string) => tryText(folder(name), 'ifindex').trim();
  const byIndex = new Map(tryNames(sysRoot, 'class/net').map((name) => [indexOf(name), name] as const));
  return (name) => {
    const index = indexOf(name);
    const link = tryText(folder(name), 'iflink').trim();
    const isLinked = link !== '' && link !== index;
    const isVirtual = isVirtualDevice(folder(name));
    const type = isVirtual ? virtualType(folder(name), isLinked) : 'hardware';
    return {
      index,
      type,
      isVirtual,
      master: tryLink(folder(name), 'master'),
      lower: isLinked ? (byIndex.get(link) ?? null) : null,
      isRepresentor: /^(c\d+)?pf\d+(vf|sf)\d+$/.test(tryText(folder(name), 'phys_port_name').trim()),
      isStacked: STACKED_TYPES.has(type) || type === 'tun',
      ports: type === 'bridge' ? tryNames(folder(name), 'brif') : [],
    };
  };
}

function virtualType(folder: string, isLinked: boolean): string {
  if (tryNames(folder, 'bridge').length > 0) return 'bridge';
  if (tryNames(folder, 'bonding').length > 0) return 'bond';
  if (tryText(folder, 'tun_flags') !== '') return 'tun';
  const type = /^DEVTYPE=(\w+)$/m.exec(tryText(folder, 'uevent'))?.[1];
  if (type !== undefined) return type;
  return isLinked ? 'veth' : 'other';
}

function isVirtualDevice(folder: string): boolean {
  try {
    return realpathSync(folder).includes('/devices/virtual/');
  } catch {
    return true;
  }
}
