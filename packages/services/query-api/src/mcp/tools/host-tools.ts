import type { Tool } from './tool.ts';

/** Tools that read hosts, which the API calls services, and what runs on them. */
export const HOST_TOOLS: readonly Tool[] = [
  {
    name: 'get_overview',
    title: 'Overview',
    description:
      'How many hosts have each status, how many alerts are active, and what of notifications fails. A good first call.',
    operationId: 'getSummary',
    fixed: { fields: 'as_of,services,alerts,evaluation_lag_seconds,notifications,rules' },
  },
  {
    name: 'list_hosts',
    title: 'List hosts',
    description:
      'Hosts by name, with status, tags, active alerts and headline metrics. Other tools take the id of a host as service_id.',
    operationId: 'listServices',
    query: ['status', 'q', 'tag', 'sort'],
    list: 'services',
  },
  {
    name: 'get_host',
    title: 'Read a host',
    description:
      'One host: why it has its status, its tags, the latest value of each of its metrics, and its active alerts. For processes use get_processes, for filesystems, disks and units list_parts.',
    operationId: 'getService',
    id: 'service_id',
    fixed: {
      fields:
        'id,host,status,status_reasons,status_since,first_seen,last_seen,interval_seconds,clock_skew_seconds,tags,active_alerts,alerts.id,alerts.severity,alerts.summary,alerts.fired_at,metrics',
    },
  },
  {
    name: 'list_host_changes',
    title: 'List what changed about a host',
    description: 'Deployments and other markers, changes of tags, and rules that were created or edited.',
    operationId: 'listServiceChanges',
    id: 'service_id',
    query: ['from', 'to'],
  },
  {
    name: 'get_processes',
    title: 'Read processes and containers',
    description:
      'The top processes and the containers of a host at a time within the last two days; by default the newest.',
    operationId: 'getServiceSnapshot',
    id: 'service_id',
    query: ['at'],
    shows: ({ parts: _parts, ...others }) => others,
  },
  {
    name: 'list_parts',
    title: 'List parts of hosts',
    description:
      'Filesystems, disks, network interfaces, units and other parts of hosts with their latest values. With kind and sort the fullest or busiest first, such as kind filesystem and sort -used_percent.',
    operationId: 'listParts',
    query: ['kind', 'name', 'q', 'host', 'tag', 'as_of', 'sort'],
    list: 'parts',
  },
];
