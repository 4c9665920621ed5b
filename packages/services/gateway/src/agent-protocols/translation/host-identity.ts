import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { textFault } from '@tidewatch/contracts/values/text';
import { labelOf, type SentSeries } from '../series/sent-series.ts';

/** The labels that name a host where a sender has no setting of its own, the first that is there. */
export const DEFAULT_HOST_LABELS = ['host', 'hostname', 'host_name', 'nodename', 'node'] as const;
/** Attributes of a resource that name a host. */
const RESOURCE_LABELS = ['host.name', 'k8s.node.name', 'host.id'];
/** Labels by which replicas of one sender differ, which send the same. */
export const REPLICA_LABELS: ReadonlySet<string> = new Set(['__replica__', 'prometheus_replica', 'replica']);

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\])$/;

/** What a series says about its host. `label` is the label that named it, which is no tag of it. */
export type HostName =
  | { kind: 'named'; host: string; label: string | null }
  /** It is the host behind this job and instance, whose name another series of it may say; `address` is the fallback. */
  | { kind: 'instance'; job: string; instance: string; address: string | null }
  | { kind: 'unnamed' };

/** The instance without its port: `web-01` of `web-01:9100`, `[::1]` of `[::1]:9100`. */
export function withoutPort(instance: string): string {
  return instance.replace(/:\d{1,5}$/, '');
}

/** Finds out which host a series is of. `hostLabels` are asked in their order. */
export function hostNameOf(series: SentSeries, hostLabels: readonly string[]): HostName {
  for (const label of RESOURCE_LABELS) {
    const host = labelOf(series.resource, label);
    if (isHost(host)) return { kind: 'named', host, label };
  }
  for (const label of hostLabels) {
    const host = labelOf(series.labels, label);
    if (isHost(host)) return { kind: 'named', host, label };
  }
  const instance = labelOf(series.labels, 'instance');
  if (instance === undefined || series.protocol === 'otlp') return { kind: 'unnamed' };
  const name = withoutPort(instance);
  const job = labelOf(series.labels, 'job') ?? '';
  if (LOOPBACK.test(name)) return { kind: 'instance', job, instance, address: null };
  if (!isHost(name)) return { kind: 'unnamed' };
  if (ADDRESS.test(name)) return { kind: 'instance', job, instance, address: name };
  return { kind: 'named', host: name, label: 'instance' };
}

function isHost(name: string | undefined): name is string {
  return name !== undefined && textFault(name, 1, BOUNDS.host) === undefined;
}

/** The name that node_exporter says its kernel has, with the job and instance of the series; undefined for other series. */
export function kernelNameOf(
  series: SentSeries,
): { job: string; instance: string; host: string } | undefined {
  if (series.name !== 'node_uname_info') return undefined;
  const host = labelOf(series.labels, 'nodename');
  const instance = labelOf(series.labels, 'instance');
  if (!isHost(host) || instance === undefined) return undefined;
  return { job: labelOf(series.labels, 'job') ?? '', instance, host };
}
