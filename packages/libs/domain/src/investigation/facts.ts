/** The facts of an investigation: read from the store once, frozen, and passed to pure detectors. */

/** A time series: ascending times in ms since the epoch, and one value for each time. */
export interface Series {
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Where data was read, as evidence cites it. `query` is a request or statement that a person can repeat. */
export interface Source {
  /** A name that is unique within an investigation, such as `host:web-01/cpu_percent`. */
  readonly ref: string;
  readonly query: string;
  /** ms, inclusive */
  readonly from: number;
  /** ms, exclusive */
  readonly to: number;
}

export interface HostName {
  readonly serviceId: string;
  readonly host: string;
}

export interface Subject {
  readonly kind: 'host' | 'container' | 'process' | 'part' | 'tag';
  readonly name: string;
}

/** One metric of a host, or of one of its containers or parts. */
export interface MetricFacts {
  readonly subject: Subject;
  readonly metric: string;
  readonly unit: string | null;
  /**
   * One mean per minute, or the samples if they are further apart, from `Facts.historyFrom` to `Facts.to`; in finer steps where the host is
   * known for minutes only (`fittedToHistory`).
   */
  readonly history: Series;
  /** The samples as they were reported, from `Facts.from` to `Facts.to`. */
  readonly recent: Series;
  /** The samples of two hours or more before `Facts.from` (`peersFrom` of the window); empty where `history` has them. */
  readonly before: Series;
  readonly source: Source;
}

/** The processes and containers of the host at one time; those of the same name are summed. */
export interface SnapshotFacts {
  readonly time: number;
  /** `memory` in bytes */
  readonly processes: readonly UseFacts[];
  readonly containers: readonly (UseFacts & {
    readonly image: string | null;
    readonly status: string | null;
  })[];
}
export interface UseFacts {
  readonly name: string;
  /** The number of processes or containers with this name. */
  readonly count: number;
  readonly pids: readonly number[];
  readonly cpuPercent: number | null;
  readonly memory: number | null;
}

/** The usual level and spread of a metric. */
export interface Usual {
  readonly median: number;
  readonly mad: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
  /** The means of the hours before the trouble may have begun, if they are known. */
  readonly hourly?: Float64Array;
}

/** One metric of another host, reduced to statistics and means of equal steps by the database. */
export interface PeerMetricFacts {
  readonly metric: string;
  /** Statistics of the values before `Facts.from`, which define what is usual for the metric. */
  readonly usual: Usual;
  /** Means of equal steps (`comparedStep`), one for each sample if those are few, from `Facts.peersFrom` to `Facts.to`. */
  readonly recent: Series;
  readonly source: Source;
}
export interface PeerFacts extends HostName {
  readonly tags: Readonly<Record<string, string>>;
  /** ms; null when it never reported */
  readonly lastSeen: number | null;
  /** The alerting metric if the host has it, and the metrics that shifted most. */
  readonly metrics: readonly PeerMetricFacts[];
}

export interface AlertFacts {
  readonly id: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly subject: Subject;
  readonly severity: string;
  readonly condition: string;
  readonly threshold: number | null;
  readonly noData: boolean;
  readonly pendingSince: number;
  readonly firedAt: number;
  readonly value: number | null;
}

/** An earlier alert of the same service or rule, the result of its investigation, and the feedback of people on it. */
export interface PastAlertFacts extends HostName {
  readonly id: string;
  readonly ruleId: string;
  readonly metric: string;
  readonly firedAt: number;
  readonly resolvedAt: number | null;
  readonly investigation: null | {
    readonly id: string;
    readonly conclusion: 'root_cause_found' | 'inconclusive' | null;
    readonly rootCause: string | null;
    readonly feedback: null | { readonly helpful: boolean; readonly actualRootCause: string | null };
  };
}

/** Something that people or their tools did: a marker, a changed tag, a changed rule. */
export interface ChangeFacts {
  readonly kind: 'marker' | 'tag' | 'rule';
  readonly id: string;
  readonly at: number;
  readonly title: string;
  /** Tags of the marker, or the tags of the host after the change. */
  readonly tags: Readonly<Record<string, string>>;
  /** The hosts that the change concerns. */
  readonly hosts: readonly HostName[];
  readonly source: Source;
}

export interface Facts {
  readonly service: HostName & { readonly tags: Readonly<Record<string, string>> };
  /** The metric under investigation; null if only a host was named. */
  readonly metric: string | null;
  readonly subject: Subject;
  readonly alert: AlertFacts | null;
  readonly question: string | null;
  /** The investigated window `[from, to)`, ms; `to` is the time of the request. */
  readonly from: number;
  readonly to: number;
  /** The start of `MetricFacts.history`, ms: usually 24 hours before `from`, earlier if samples are far apart. */
  readonly historyFrom: number;
  /** From when on other hosts are read, ms: two hours before `from` or more (`peersFromOf`). */
  readonly peersFrom: number;
  /** The usual interval of the host's samples, ms. */
  readonly intervalMs: number;
  /** Metrics of the host and of its containers. */
  readonly metrics: readonly MetricFacts[];
  /** The snapshots from an hour before `from` on, ascending, at most one a minute. */
  readonly snapshots: readonly SnapshotFacts[];
  readonly snapshotSource: Source | null;
  /** Times of the host's payloads from an hour before `from` on, ms, ascending, thinned to at most one a second. */
  readonly payloadTimes: Float64Array;
  readonly peers: readonly PeerFacts[];
  /** The number of hosts of the organization that are not compared because there are too many. */
  readonly peersLeftOut: number;
  /** Earlier alerts of the last 30 days, newest first, at most 200. */
  readonly past: readonly PastAlertFacts[];
  readonly pastSource: Source | null;
  readonly changes: readonly ChangeFacts[];
}
