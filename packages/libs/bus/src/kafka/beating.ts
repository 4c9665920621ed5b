/** How often Kafka is told that a member of a group lives, ms. */
export const HEARTBEAT_MS = 1_500;

/** Waits for something while the group is told that we live; a rebalance ends the waiting by an error. */
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
