import {
  choice,
  flag,
  type Parameters,
  type RawSearch,
  readParameters,
  text,
  texts,
  time,
  type ValuesOf,
  whole,
  writeSearch,
} from './parameters.ts';

const range = { from: time, to: time } as const;
const severity = choice('critical', 'warning', 'info');

function page<const Path extends string, const P extends Parameters>(path: Path, parameters: P) {
  return { path, parameters } as const;
}

/** Every page of the console with its parameters. A literal path stands before a path with an id that would match it. */
export const PAGES = {
  overview: page('/', { display: flag }),
  alerts: page('/alerts', {
    status: choice('active', 'resolved', 'all'),
    severity,
    host: text,
    service_id: text,
    rule_id: text,
    acknowledged: choice('true', 'false'),
    shadow: choice('true', 'false'),
    group: text,
    sort: text,
    as_of: time,
    ...range,
  }),
  alert: page('/alerts/:id', { tab: text, ...range }),
  hosts: page('/services', {
    view: choice('map', 'table'),
    q: text,
    status: texts(),
    tag: texts(),
    group_by: text,
    fill: choice('status', 'cpu_percent', 'memory_percent', 'disk_percent'),
    step: texts(6),
    sort: text,
    columns: texts(),
    select: texts(500),
    as_of: time,
  }),
  addHost: page('/services/add', {}),
  compare: page('/services/compare', { id: texts(12), metrics: texts(), ...range }),
  host: page('/services/:id', { metric: text, subject: text, tab: text, peers: text, ...range }),
  rules: page('/rules', { sort: text, q: text, severity }),
  newRule: page('/rules/new', { copy: text, metric: text }),
  rule: page('/rules/:id', { ...range }),
  editRule: page('/rules/:id/edit', {}),
  silences: page('/silences', {
    view: choice('calendar', 'list'),
    status: choice('active', 'pending', 'expired', 'all'),
    ...range,
  }),
  newSilence: page('/silences/new', { alert: text, copy: text }),
  channels: page('/channels', { kind: text }),
  channel: page('/channels/:id', {}),
  notifications: page('/notifications', { status: text, alert_id: text, ...range }),
  investigations: page('/investigations', {
    status: choice('queued', 'running', 'completed', 'failed', 'cancelled'),
    conclusion: choice('root_cause_found', 'inconclusive'),
    severity,
    host: text,
    ...range,
  }),
  investigation: page('/investigations/:id', { finding: text, evidence: text, ...range }),
  query: page('/query', {
    metric: text,
    hosts: texts(),
    tag: texts(),
    part: texts(),
    aggregate: text,
    by: choice('host', 'part', 'kind', 'subject'),
    group_by: text,
    top: whole(1, 100),
    step: whole(1, 86_400 * 366),
    ...range,
  }),
  events: page('/events', { types: texts(), host: text, severity }),
  markers: page('/markers', { ...range }),
  preferences: page('/settings/preferences', {}),
  keys: page('/settings/keys', {
    q: text,
    status: choice('valid', 'replaced', 'expired', 'revoked', 'all'),
  }),
  key: page('/settings/keys/:id', {}),
  sessions: page('/settings/sessions', {}),
  organizations: page('/settings/organizations', {}),
  limits: page('/settings/limits', {}),
  audit: page('/settings/audit', { action: text, actor: text, object: text, ...range }),
  system: page('/system', { receipt: text }),
  signIn: page('/sign-in', { to: text, close: flag }),
} as const;

export type PageName = keyof typeof PAGES;

/**
 * The pages that the console has: the router, the navigation and the server know no others, and no link leads to others.
 * A page is added here together with its route.
 */
export const SERVED_PAGES = [
  'overview',
  'hosts',
  'addHost',
  'compare',
  'host',
  'alerts',
  'alert',
  'investigations',
  'investigation',
  'query',
  'rules',
  'newRule',
  'rule',
  'editRule',
  'silences',
  'newSilence',
  'channels',
  'channel',
  'notifications',
  'events',
  'markers',
  'preferences',
  'keys',
  'key',
  'sessions',
  'organizations',
  'limits',
  'audit',
  'system',
  'signIn',
] as const satisfies readonly PageName[];

export type ServedPage = (typeof SERVED_PAGES)[number];

type Path<Name extends PageName> = (typeof PAGES)[Name]['path'];
/** The ids in the path of a page. */
export type PageParams<Name extends PageName> =
  Path<Name> extends `${string}:id${string}` ? { id: string } : object;
export type PageSearch<Name extends PageName> = ValuesOf<(typeof PAGES)[Name]['parameters']>;

/** Whether the console has this page. */
export function isServed(name: PageName): name is ServedPage {
  return (SERVED_PAGES as readonly PageName[]).includes(name);
}

/** The path and query of a page: `pathOf('alert', { id: 'alr_1' }, { tab: 'timeline' })`. */
export function pathOf<Name extends PageName>(
  name: Name,
  params: PageParams<Name>,
  search: PageSearch<Name> = {},
): string {
  const { id = '' } = params as { id?: string };
  return PAGES[name].path.replace(':id', encodeURIComponent(id)) + writeSearch(search);
}

/** The values of the page's parameters in a URL, and the names of invalid ones, which a page ignores with a notice. */
export function readPageSearch<Name extends PageName>(
  name: Name,
  raw: RawSearch,
): { values: PageSearch<Name>; invalid: string[] } {
  return readParameters(PAGES[name].parameters as Parameters, raw) as {
    values: PageSearch<Name>;
    invalid: string[];
  };
}

const ID = '([A-Za-z0-9_-]{1,64})';
const PATTERNS = (Object.keys(PAGES) as PageName[]).map((name) => {
  const pattern = PAGES[name].path.replace(':id', ID);
  return { name, pattern: new RegExp(`^${pattern}$`) };
});

/** The page at a path, and the id in it; undefined where the design has none. */
export function pageAt(path: string): { name: PageName; id: string | undefined } | undefined {
  for (const { name, pattern } of PATTERNS) {
    const match = pattern.exec(path);
    if (match) return { name, id: match[1] };
  }
  return undefined;
}
