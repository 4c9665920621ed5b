import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { textFault } from '@tidewatch/contracts/values/text';
import { LRUCache } from 'lru-cache';
import type { Rejection } from '../series/point-sink.ts';
import type { SentSeries } from '../series/sent-series.ts';
import { atMost } from './at-most.ts';
import type { Omitted, Rejected } from './fate.ts';
import { type HostName, hostNameOf, kernelNameOf } from './host-identity.ts';
import { isTag } from './host-tags.ts';
import { KernelNames } from './kernel-names.ts';
import type { KnownHosts } from './known-hosts.ts';
import { type MetricPlace, placeOf } from './metric-place.ts';
import type { Sender } from './sender.ts';
import { type SubjectPlace, subjectPlaceOf } from './subjects/subject-place.ts';
import type { TranslatedHost } from './translated-host.ts';

/** Where a series is stored. */
export interface Placed {
  host: TranslatedHost;
  place: MetricPlace | SubjectPlace;
}

const NOT_KNOWN_YET: Omitted = { kind: 'omitted', reason: 'host_not_known_yet', host: undefined };
/** The max number of hosts whose tags are kept until their first series comes. */
const MAX_AWAITED_HOSTS = 1_000;

const NAME_A_HOST: Readonly<Record<SentSeries['protocol'], string>> = {
  remote_write: 'add external_labels: {host: …}, or relabel instance',
  otlp: 'set the resource attribute host.name',
  influx: 'add the tag host',
  collectd: 'set the field host',
  datadog: 'set the field host',
};

/** Finds the hosts of series, and where their values are stored. One for each organization. */
export class SeriesPlacer {
  readonly #known: KnownHosts;
  readonly #hostLabels: readonly string[];
  readonly #applications: boolean;
  /** Those of which series are remembered. */
  readonly #hosts = new Map<string, TranslatedHost>();
  readonly #forget = ({ name }: TranslatedHost) => {
    this.#hosts.delete(name);
  };
  readonly #names = new KernelNames();
  readonly #awaited = new LRUCache<string, ReadonlyMap<string, string>>(atMost(MAX_AWAITED_HOSTS));

  /** `hosts` are those of all organizations; `hostLabels` are the labels that name a host, in their order; `applications` is whether series of applications are stored. */
  constructor(hosts: KnownHosts, hostLabels: readonly string[], applications: boolean) {
    this.#known = hosts;
    this.#hostLabels = hostLabels;
    this.#applications = applications;
  }

  /** Learns what a series says about others of its sender: the name of a host. */
  learn(sent: SentSeries, sender: Sender): void {
    const kernel = kernelNameOf(sent);
    if (kernel !== undefined) this.#names.learn(sender.id, kernel.job, kernel.instance, kernel.host);
  }

  /** Tags a host, or remembers its tags for when its first series comes. */
  tagHost(name: string, tags: ReadonlyMap<string, string>): void {
    if (textFault(name, 1, BOUNDS.host) !== undefined) return;
    const valid = new Map([...tags].filter((tag) => isTag(...tag)).slice(0, BOUNDS.tags));
    const host = this.#hosts.get(name);
    if (host === undefined) this.#awaited.set(name, valid);
    else host.tags.state(valid);
  }

  /** Where the values of a series are stored, or why they are not; and its host, as far as it is known. */
  place(sent: SentSeries, sender: Sender): Placed | Omitted | Rejected {
    const named: HostName =
      sender.host === null
        ? hostNameOf(sent, this.#hostLabels)
        : { kind: 'named', host: sender.host, label: null };
    const hostLabel = named.kind === 'named' ? named.label : null;
    const place = subjectPlaceOf(sent) ?? placeOf(sent, hostLabel, this.#applications);
    if (typeof place === 'string')
      return named.kind === 'named'
        ? { kind: 'omitted', reason: place, host: this.#host(named.host).number }
        : { kind: 'omitted', reason: place, host: undefined };
    const faulty = 'metric' in place ? textFault(place.metric, 1, BOUNDS.metricName) : undefined;
    if (faulty !== undefined)
      return rejected(
        'invalid_name',
        `the name ${JSON.stringify(sent.name.slice(0, 60))}: ${faulty.message}`,
      );
    const name = this.#hostOf(named, sent, sender);
    if (name === 'wait') return NOT_KNOWN_YET;
    if (name === undefined)
      return rejected('no_host', `${sent.name} names no host: ${NAME_A_HOST[sent.protocol]}`);
    const host = this.#host(name);
    if ('family' in place) return { host, place };
    for (let at = 0; at < place.tags.length; at += 2)
      host.tags.set(place.tags[at] as string, place.tags[at + 1] as string);
    return { host, place };
  }

  #host(name: string): TranslatedHost {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host = this.#known.create(name, this.#forget);
    this.#hosts.set(name, host);
    host.tags.state(this.#awaited.get(name) ?? new Map());
    this.#awaited.delete(name);
    return host;
  }

  #hostOf(named: HostName, sent: SentSeries, sender: Sender): string | 'wait' | undefined {
    if (named.kind === 'named') return named.host;
    if (named.kind === 'unnamed') return sender.onlyHost ?? undefined;
    const mayWait = sent.name.startsWith('node_') && sender.onlyHost === null;
    return this.#names.resolve(sender.id, named, mayWait, sender.receivedAt) ?? sender.onlyHost ?? undefined;
  }
}

/** What becomes of a series that would be one too many of its host. */
export function beyondLimit(host: TranslatedHost, { part, metric }: MetricPlace): Rejected {
  const of = part === null ? 'metrics' : 'parts or metrics of parts';
  return rejected(
    'parts_limit',
    `${metric} of ${host.name} is beyond the limit of ${of} of a host`,
    host.number,
  );
}

function rejected(reason: Rejection, example: string, host?: number): Rejected {
  return { kind: 'rejected', reason, example, host };
}
