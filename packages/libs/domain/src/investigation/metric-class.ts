/** The kind of thing that a metric measures on its host, such as processor use; derived from the name of the metric. */
export type MetricClass = 'cpu' | 'memory' | 'space' | 'traffic' | 'work' | 'effect';

// Words of the names of metrics, which `wordsOf` puts between underscores.
/** What a service or a device suffers, whatever the resource: more of it is worse. */
const TROUBLE =
  /latenc|duration|response(?!s)|error|_errs?_|fail|retrans|drop|timeout|queue|backlog|wait|unavail|stall|pressure|_loss_|_lag_|delay|pause|_[45]xx_/;
const MEMORY = /mem(?!ber|cache)|swap|(?<!c)heap|_rss_/;
const SPACE = /disk|filesystem|inode|_volume_.*(use|free|avail|capac|bytes|percent|full)/;
const READ_OR_WRITTEN = /(?<!th|sp|al|un)read(?!y|in|er|only)|(?<!re)writ(e(?!r)|ten)/;
const DEVICE_WORK = /_io_|diskio_|iops|_io_?time|util|busy|operation|octets/;
const NETWORK = /_net(?!ty)|network|bandwidth|_received?_|transmit|_sent_|_[rt]x_|bytes_recv/;
const WORK =
  /request|responses|query|queries|connection|session|rps|_[qt]ps_|throughput|transactions|jobs|messages/;

/**
 * Classifies a metric by its name as the use of a resource or as an effect such as latency, errors or queues. The USE
 * method (Gregg, Communications of the ACM, 2013) looks at the use of resources first.
 */
export function classOf(metric: string): MetricClass {
  return namedClassOf(metric) ?? 'effect';
}

/** The class that the words of a name say; null where they say none. */
function namedClassOf(metric: string): MetricClass | null {
  const name = wordsOf(metric);
  if (TROUBLE.test(name) || /availability/.test(name)) return 'effect';
  if (MEMORY.test(name)) return 'memory';
  const isOfDevice = READ_OR_WRITTEN.test(name) || DEVICE_WORK.test(name);
  if (SPACE.test(name) && !isOfDevice) return 'space';
  if (/disk|_io_|iops/.test(name) || NETWORK.test(name) || READ_OR_WRITTEN.test(name)) return 'traffic';
  if (WORK.test(name)) return 'work';
  if (/steal/.test(name)) return 'effect';
  if (/cpu/.test(name)) return 'cpu';
  return null;
}

/** Whether the name of a metric says neither what it measures nor which direction is worse, as many names of a fleet's own metrics do. */
export function isOfUnknownClass(metric: string): boolean {
  const isUnknown = namedClassOf(metric) === null && resourceOf(metric) === null;
  return isUnknown && worseOf(metric) === 0 && !isClock(metric);
}

/** Whether a metric is a time that always rises, by its name: it says nothing by leaving its history. */
export function isClock(metric: string): boolean {
  return /uptime|boot_?time|timestamp/.test(metric);
}

/** The words of a name in small letters, with `_` before, between and behind them. */
function wordsOf(metric: string): string {
  return `_${metric.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}_`;
}

/** Whether a metric is latency, errors or waiting as a client sees them, by its name: they show what is called, not the host itself. */
export function isOfClient(metric: string): boolean {
  return (
    classOf(metric) === 'effect' && /client|upstream|outgoing|outbound|egress/.test(metric.toLowerCase())
  );
}

/** Effects that pile up on a host, so that more of them there says nothing of those on others. */
const PILED_UP = /queue|backlog|_lag_|pressure|steal/;

/** Whether a metric is by its name an effect that hosts which wait for this one have too, such as latency or errors, or of unknown class. */
export function isPassedOn(metric: string): boolean {
  return classOf(metric) === 'effect' && !PILED_UP.test(wordsOf(metric));
}

/** The resources of a host that its processes share. */
export type Resource = 'cpu' | 'memory' | 'disk' | 'network';

/**
 * The resource of the host whose use or saturation a metric measures (USE method). Null for effects and for work, and for
 * steal time, which other virtual machines cause.
 */
export function resourceOf(metric: string): Resource | null {
  const name = wordsOf(metric);
  if (isCpuLike(metric) || /cpu_pressure|run_?queue|throttl/.test(name)) return 'cpu';
  if (/io_?wait|io_pressure|disk_?queue/.test(name)) return 'disk';
  switch (classOf(metric)) {
    case 'memory':
      return 'memory';
    case 'space':
      return 'disk';
    case 'traffic':
      return /disk|_io_|iops|filesystem|inode/.test(name) ? 'disk' : 'network';
    default:
      return /memory_pressure/.test(name) ? 'memory' : null;
  }
}

/** Words in the names of metrics that say how much of a device is used or waits, rather than how much passes. */
const USED = /util|busy|wait|queue|pressure|time|percent/;

/**
 * The resource of a host that explains trouble if more of it is used. What passes through the network or a disk is none:
 * bytes and operations are what others ask for, as requests are.
 */
export function reasonResourceOf(metric: string): Exclude<Resource, 'network'> | null {
  const resource = resourceOf(metric);
  const passes = classOf(metric) === 'traffic' && !USED.test(metric.toLowerCase());
  return resource === 'network' || passes ? null : resource;
}

/** Whether a metric is a percentage, by its name. */
export function isPercentage(metric: string): boolean {
  return /percent|_pct$/i.test(metric);
}

/** Whether a metric measures the processor or the load: load counts what waits for processors. */
export function isCpuLike(metric: string): boolean {
  return classOf(metric) === 'cpu' || isLoad(metric);
}

/** Whether a metric is the load of a host as agents name it: `load_1`, `node_load1`, `load_load_shortterm` or `load_average_15m`. */
export function isLoad(metric: string): boolean {
  return /^_load_|_load_$|_load_?(avg|average)?_?(1|5|15)m?_|_load_(short|mid|long)term_/.test(
    wordsOf(metric),
  );
}

/** Metrics whose names say that they count what is left, or what goes well: lower values of them are worse. */
const BETTER_HIGH =
  /free|(?<!un)avail|idle|remaining|success|apdex|_hit_(rate|ratio)|(?<!un)health|(?<!un|al)ready/;
/** Events that are worse the more of them there are. */
const BAD_EVENTS =
  /steal|throttl|exception|reject|refus|abort|denied|crash|restart|_oom|panic|deadlock|evict|overflow|saturat|unhealth|unready/;

/** The direction in which a metric gets worse, by its name: 1 up, -1 down, 0 where the name says nothing. */
export function worseOf(metric: string): 1 | -1 | 0 {
  const name = wordsOf(metric);
  if (BETTER_HIGH.test(name)) return -1;
  if (TROUBLE.test(name) || BAD_EVENTS.test(name) || isCpuLike(metric)) return 1;
  return classOf(metric) === 'effect' ? 0 : 1;
}
