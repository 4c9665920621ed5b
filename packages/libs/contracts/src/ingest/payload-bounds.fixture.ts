const FLAME = '\u{1f525}';
/** Parses as the wire does, so that `__proto__` is an own key and 1e400 a number. */
const json = (text: string) => JSON.parse(text);
const numbered = (count: number, entry: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => entry(index));
const named = (count: number, value: unknown) =>
  Object.fromEntries(numbered(count, (index) => [`n${index}`, value]) as [string, unknown][]);

/** Fields of payloads at their bounds, which are accepted. */
export const ACCEPTED_FIELDS: [name: string, fields: Record<string, unknown>][] = [
  ['a heartbeat', { metrics: {} }],
  ['names of 200 characters beyond the basic plane', { metrics: { [FLAME.repeat(200)]: 1 } }],
  ['512 metrics', { metrics: named(512, 1) }],
  ['values at the edges of a double', { metrics: { a: 1.7976931348623157e308, b: -5e-324, c: 2 ** 60 } }],
  [
    'prototype names',
    {
      host: '__proto__',
      metrics: json('{"__proto__":1,"constructor":2}'),
      tags: json('{"__proto__":"x"}'),
    },
  ],
  ['64 tags', { tags: named(64, '') }],
  ['500 containers', { docker_containers: numbered(500, (index) => ({ name: `c${index}` })) }],
  ['1,000 processes', { processes: numbered(1_000, (pid) => ({ name: 'p', pid })) }],
  [
    '32 further numeric fields of a container',
    { docker_containers: [{ name: 'c', cpu_percent: 1, memory_usage: 2, ...named(32, 1) }] },
  ],
  ['unknown fields', { agent_version: '9', extra: { deep: [1, { x: null }] } }],
  ['unknown texts of a container', { docker_containers: [{ name: 'c', state: 'good', ports: [80] }] }],
  [
    'an id of 128 and a health of 64 characters',
    { docker_containers: [{ name: 'c', id: 'i'.repeat(128), health: 'h'.repeat(64) }] },
  ],
  ['counts of 1,000 names of processes', { process_counts: named(1_000, 0) }],
  ['the first moment of 2000', { timestamp: '2000-01-01T00:00:00Z' }],
  ['a host of 255 characters', { host: 'x'.repeat(255) }],
  ['a host of 255 characters outside the basic plane', { host: FLAME.repeat(255) }],
  ['a tag of 128 and 256 characters', { tags: { ['k'.repeat(128)]: 'v'.repeat(256) } }],
  [
    'an image of 512 and a status of 64 characters',
    { docker_containers: [{ name: 'c', image: 'i'.repeat(512), status: 's'.repeat(64) }] },
  ],
  ['a process name of 255 characters', { processes: [{ name: 'p'.repeat(255), pid: 1 }] }],
  [
    '256 parts with 2,000 numbers',
    {
      parts: numbered(256, (index) => ({
        kind: 'disk',
        name: `d${index}`,
        ...named(index < 250 ? 8 : 0, 1),
      })),
    },
  ],
  ['512 numbers of a part', { parts: [{ kind: 'gpu', name: '0', ...named(512, 1) }] }],
  [
    'a kind of 64 and a name of 255 characters',
    { parts: [{ kind: FLAME.repeat(64), name: FLAME.repeat(255), used: 1 }] },
  ],
  [
    '16 labels of a part with 128 and 256 characters',
    { parts: [{ kind: 'a', name: 'b', labels: { ...named(15, ''), ['k'.repeat(128)]: 'v'.repeat(256) } }] },
  ],
  [
    'one name of two kinds',
    {
      parts: [
        { kind: 'disk', name: 'sda', x: 1 },
        { kind: 'sensor', name: 'sda', x: 1 },
      ],
    },
  ],
  [
    'a part with texts and nothing else',
    { parts: [{ kind: 'unit', name: 'a:b', state: 'failed', load: null }] },
  ],
  ['no parts', { parts: [] }],
  ['another offset', { timestamp: '2026-01-01T05:30:00.123456+05:30' }],
  ['no offset', { timestamp: '2026-01-01T00:00:00' }],
];

/** Fields of payloads beyond a bound, each with the path and the code of its only fault. */
export const REFUSED_FIELDS: [name: string, fields: Record<string, unknown>, fault: string][] = [
  ['an empty host', { host: '' }, '/host too_short'],
  ['a host of 256 characters', { host: FLAME.repeat(256) }, '/host too_long'],
  ['a host that is a number', { host: 5 }, '/host invalid_type'],
  ['a host with NUL', { host: 'a\0b' }, '/host nul_character'],
  ['a host with a lone surrogate', { host: 'a\ud800b' }, '/host lone_surrogate'],
  ['metrics that are null', { metrics: null }, '/metrics invalid_type'],
  ['metrics that are a list', { metrics: [1] }, '/metrics invalid_type'],
  ['513 metrics', { metrics: named(513, 'x') }, '/metrics too_many'],
  ['a value that is a text', { metrics: { cpu_percent: '5' } }, '/metrics/cpu_percent invalid_type'],
  ['a value that is true', { metrics: { cpu_percent: true } }, '/metrics/cpu_percent invalid_type'],
  [
    'a value beyond a double',
    { metrics: json('{"cpu_percent":1e400}') as object },
    '/metrics/cpu_percent not_finite',
  ],
  ['an empty name', { metrics: { '': 5 } }, '/metrics/ too_short'],
  ['a name of 201 characters', { metrics: { ['m'.repeat(201)]: 5 } }, `/metrics/${'m'.repeat(201)} too_long`],
  ['a name with NUL', { metrics: { 'a\0b': 5 } }, '/metrics/a\0b nul_character'],
  ['a bad value under a name to escape', { metrics: { 'a/b~c': 'x' } }, '/metrics/a~1b~0c invalid_type'],
  ['a bad value under __proto__', { metrics: json('{"__proto__":"x"}') }, '/metrics/__proto__ invalid_type'],
  ['a time that is a word', { timestamp: 'yesterday' }, '/timestamp invalid_timestamp'],
  ['a time that is a number', { timestamp: 1_700_000_000 }, '/timestamp invalid_type'],
  ['a time that is null', { timestamp: null }, '/timestamp invalid_type'],
  ['a time before 2000', { timestamp: '1999-12-31T23:59:59.999Z' }, '/timestamp too_early'],
  ['65 tags', { tags: named(65, 'v') }, '/tags too_many'],
  ['a tag that is a number', { tags: { environment: 5 } }, '/tags/environment invalid_type'],
  ['a tag with NUL', { tags: { environment: 'a\0' } }, '/tags/environment nul_character'],
  ['containers that are an object', { docker_containers: {} }, '/docker_containers invalid_type'],
  [
    '501 containers',
    { docker_containers: numbered(501, () => ({ name: 'c' })) },
    '/docker_containers too_many',
  ],
  [
    'a container without a name',
    { docker_containers: [{ name: 'a' }, { image: 'x' }] },
    '/docker_containers/1/name required',
  ],
  [
    'an id of 129 characters',
    { docker_containers: [{ name: 'a', id: 'i'.repeat(129) }] },
    '/docker_containers/0/id too_long',
  ],
  [
    'a health that is a number',
    { docker_containers: [{ name: 'a', health: 1 }] },
    '/docker_containers/0/health invalid_type',
  ],
  ['counts that are a list', { process_counts: [1] }, '/process_counts invalid_type'],
  ['counts of 1,001 names', { process_counts: named(1_001, 1) }, '/process_counts too_many'],
  ['a negative count', { process_counts: { nginx: -1 } }, '/process_counts/nginx too_small'],
  ['half a process', { process_counts: { nginx: 0.5 } }, '/process_counts/nginx not_an_integer'],
  ['a count that is null', { process_counts: { nginx: null } }, '/process_counts/nginx invalid_type'],
  ['a count without a name', { process_counts: { '': 1 } }, '/process_counts/ too_short'],
  [
    'containers of one name',
    { docker_containers: [{ name: 'POD' }, { name: 'api' }, { name: 'POD' }] },
    '/docker_containers/2/name duplicate',
  ],
  ['a container that is a text', { docker_containers: ['web'] }, '/docker_containers/0 invalid_type'],
  [
    'a bad number of a container',
    { docker_containers: [{ name: 'a', cpu_percent: '5' }] },
    '/docker_containers/0/cpu_percent invalid_type',
  ],
  [
    'a further number beyond a double',
    { docker_containers: [json('{"name":"a","restarts":1e400}')] },
    '/docker_containers/0/restarts not_finite',
  ],
  [
    '33 further numeric fields',
    { docker_containers: [{ name: 'a', ...named(33, 1) }] },
    '/docker_containers/0 too_many',
  ],
  ['a process without a pid', { processes: [{ name: 'init' }] }, '/processes/0/pid required'],
  ['half a pid', { processes: [{ name: 'init', pid: 1.5 }] }, '/processes/0/pid not_an_integer'],
  ['1,001 processes', { processes: numbered(1_001, (pid) => ({ name: 'p', pid })) }, '/processes too_many'],
  ['a value that is null', { metrics: { a: null } }, '/metrics/a invalid_type'],
  ['a tag key of 129 characters', { tags: { ['k'.repeat(129)]: 'v' } }, `/tags/${'k'.repeat(129)} too_long`],
  ['a tag value of 257 characters', { tags: { k: 'v'.repeat(257) } }, '/tags/k too_long'],
  ['a tag with a lone surrogate', { tags: { k: '\udc00' } }, '/tags/k lone_surrogate'],
  [
    'a container name of 256 characters',
    { docker_containers: [{ name: 'c'.repeat(256) }] },
    '/docker_containers/0/name too_long',
  ],
  [
    'a container name with a lone surrogate',
    { docker_containers: [{ name: 'a\ud800' }] },
    '/docker_containers/0/name lone_surrogate',
  ],
  [
    'an image of 513 characters',
    { docker_containers: [{ name: 'c', image: 'i'.repeat(513) }] },
    '/docker_containers/0/image too_long',
  ],
  [
    'a status of 65 characters',
    { docker_containers: [{ name: 'c', status: 's'.repeat(65) }] },
    '/docker_containers/0/status too_long',
  ],
  [
    'a process name of 256 characters',
    { processes: [{ name: 'p'.repeat(256), pid: 1 }] },
    '/processes/0/name too_long',
  ],
  ['a process name with NUL', { processes: [{ name: '\0', pid: 1 }] }, '/processes/0/name nul_character'],
  ['the year 0001', { timestamp: '0001-01-01T00:00:00Z' }, '/timestamp too_early'],
  ['a date alone', { timestamp: '2026-01-01' }, '/timestamp invalid_timestamp'],
  ['the 30th of February', { timestamp: '2026-02-30T00:00:00Z' }, '/timestamp invalid_timestamp'],
  ['parts that are a map', { parts: { sda: 1 } }, '/parts invalid_type'],
  [
    '257 parts',
    { parts: numbered(257, (index) => ({ kind: 'disk', name: `d${index}` })) },
    '/parts too_many',
  ],
  [
    '2,001 numbers of parts',
    {
      parts: numbered(32, (index) => ({
        kind: 'disk',
        name: `d${index}`,
        ...named(index < 31 ? 64 : 17, 1),
      })),
    },
    '/parts too_many',
  ],
  ['513 numbers of a part', { parts: [{ kind: 'gpu', name: '0', ...named(513, 1) }] }, '/parts/0 too_many'],
  ['a part that is null', { parts: [null] }, '/parts/0 invalid_type'],
  ['a part without a kind', { parts: [{ name: '/' }] }, '/parts/0/kind required'],
  ['a part without a name', { parts: [{ kind: 'disk' }] }, '/parts/0/name required'],
  ['a kind of 65 characters', { parts: [{ kind: 'k'.repeat(65), name: '/' }] }, '/parts/0/kind too_long'],
  ['a kind with a colon', { parts: [{ kind: 'a:b', name: '/' }] }, '/parts/0/kind invalid_format'],
  ['a kind with a full stop', { parts: [{ kind: 'a.b', name: '/' }] }, '/parts/0/kind invalid_format'],
  ['the kind container', { parts: [{ kind: 'container', name: 'api' }] }, '/parts/0/kind invalid_value'],
  [
    'a name of 256 characters',
    { parts: [{ kind: 'disk', name: 'n'.repeat(256) }] },
    '/parts/0/name too_long',
  ],
  [
    'parts of one kind and name',
    {
      parts: [
        { kind: 'disk', name: 'sda' },
        { kind: 'disk', name: 'sda', x: 1 },
      ],
    },
    '/parts/1/name duplicate',
  ],
  [
    'labels that are a list',
    { parts: [{ kind: 'disk', name: 'sda', labels: ['x'] }] },
    '/parts/0/labels invalid_type',
  ],
  [
    '17 labels',
    { parts: [{ kind: 'disk', name: 'sda', labels: named(17, '') }] },
    '/parts/0/labels too_many',
  ],
  [
    'a label that is a number',
    { parts: [{ kind: 'disk', name: 'sda', labels: { slot: 1 } }] },
    '/parts/0/labels/slot invalid_type',
  ],
  [
    'a number of a part beyond a double',
    { parts: [json('{"kind":"disk","name":"sda","used":1e400}')] },
    '/parts/0/used not_finite',
  ],
];
