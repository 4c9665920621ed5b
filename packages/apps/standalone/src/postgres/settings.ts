/** The address of the server: a unix socket in a private folder, or in tests a port of 127.0.0.1. */
export type Listen = { socketDirectory: string } | { port: number };

const MEBIBYTE = 2 ** 20;

/** Returns the max size of the write-ahead log between checkpoints, MiB: 4 GiB, or a tenth of a smaller disk. */
function logSize(diskBytes: number): number {
  return Math.round(Math.min(4_096, Math.max(64, diskBytes / 10 / MEBIBYTE)));
}

/** PostgreSQL settings for Tidewatch's workload, for all servers that Tidewatch starts. */
export const WORKLOAD_SETTINGS = {
  checkpoint_timeout: '15min',
  work_mem: '16MB',
  maintenance_work_mem: '128MB',
  random_page_cost: '1.1',
  autovacuum_naptime: '20s',
  timezone: 'UTC',
  log_timezone: 'UTC',
} as const;

/** What the embedded server runs on. */
export interface ServerPlace {
  listen: Listen;
  /** Whether commits survive a crash of the machine; given up only in tests. */
  durable: boolean;
  /** The size of the disk, bytes. */
  diskBytes: number;
  /** As `process.platform` and `os.release()` give them, such as `linux` and `6.1.0`. */
  platform: string;
  release: string;
}

/** Whether `syncfs` reports every failed write, as since Linux 5.8. */
function hasReliableSyncfs({ platform, release }: ServerPlace): boolean {
  const [major = 0, minor = 0] = release.split('.').map((part) => Number.parseInt(part, 10));
  return platform === 'linux' && (major > 5 || (major === 5 && minor >= 8));
}

/** Settings of the embedded server. */
export function serverSettings(place: ServerPlace): Record<string, string> {
  const { listen, durable, diskBytes } = place;
  const where: Record<string, string> =
    'port' in listen
      ? { listen_addresses: '127.0.0.1', port: String(listen.port), unix_socket_directories: '' }
      : {
          listen_addresses: '',
          port: '5432',
          unix_socket_directories: listen.socketDirectory,
          unix_socket_permissions: '0700',
        };
  const onOff = durable ? 'on' : 'off';
  return {
    ...where,
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    // After a crash one call for the disk in place of one for each of some two thousand files.
    ...(hasReliableSyncfs(place) ? { recovery_init_sync_method: 'syncfs' } : {}),
    ...WORKLOAD_SETTINGS,
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: `${logSize(diskBytes)}MB`,
    min_wal_size: `${Math.min(80, logSize(diskBytes))}MB`,
    shared_buffers: durable ? '256MB' : '128MB',
    max_connections: durable ? '60' : '200',
    log_checkpoints: 'off',
    log_min_error_statement: 'panic', // statements may carry what users sent
    idle_in_transaction_session_timeout: '60s',
  };
}

/** Formats settings as a PostgreSQL configuration file. */
export function settingsFile(settings: Record<string, string>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return `# Written by Tidewatch at every start.\n${lines.join('\n')}\n`;
}
