export interface SealOrder {
  dataDir: string;
}

/** What it took to bring a log of samples to its final form. */
export interface SealFigures {
  /** CPU-seconds of the sealing process. Those of its database connection are the product's. */
  cpuSeconds: number;
  /** The number of samples and chunks. */
  samples: number;
  chunks: number;
  /** The number of blocks of days that were closed. */
  closedBlocks: number;
}
