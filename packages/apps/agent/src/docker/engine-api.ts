/** An entry of `GET /containers/json` of Docker's Engine API: the fields that the agent reads. */
export interface ListedContainer {
  Id: string;
  Names?: string[];
  Image?: string;
  /** When it was created, seconds since the epoch. */
  Created?: number;
  State?: string;
  /** The state with its age and health, such as "Up 2 hours (healthy)". */
  Status?: string;
}

/** The fields of `GET /containers/:id/stats?stream=false&one-shot=true` that the agent reads. */
export interface ContainerStats {
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
  memory_stats?: {
    usage?: number;
    limit?: number;
    stats?: { inactive_file?: number; total_inactive_file?: number };
  };
  networks?: Record<string, { rx_bytes?: number; tx_bytes?: number }>;
  blkio_stats?: { io_service_bytes_recursive?: { op?: string; value?: number }[] | null };
}

/** The fields of `GET /containers/:id/json` that the agent reads. */
export interface InspectedContainer {
  RestartCount?: number;
  State?: { ExitCode?: number; OOMKilled?: boolean };
  HostConfig?: { Memory?: number };
}
