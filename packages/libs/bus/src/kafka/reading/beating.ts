/** Milliseconds between the heartbeats of a member of a consumer group. */
export const HEARTBEAT_MS = 1_500;

/**
 * Sends heartbeats to the consumer group until `work` ends, so that this member stays in its group; rejects at a rebalance.
 */
export async function beating<R>(work: Promise<R>, heartbeat: () => Promise<void>): Promise<R> {
  const settled = { now: false };
  const done = work.finally(() => {
    settled.now = true;
  });
  done.catch(() => undefined);
  while (!settled.now) {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, HEARTBEAT_MS);
    });
    await Promise.race([done, pause]).finally(() => clearTimeout(timer));
    if (!settled.now) await heartbeat();
  }
  return done;
}
