/** Returns a read that is repeated at most every `ms` by `clock`, however many ask. A failure is not remembered. */
export function remembered<T>(read: () => Promise<T>, ms: number, clock: () => number): () => Promise<T> {
  let last: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const now = clock();
    if (last !== undefined && now >= last.at && now - last.at < ms) return last.answer;
    const started = { at: now, answer: read() };
    last = started;
    started.answer.catch(() => {
      if (last === started) last = undefined;
    });
    return started.answer;
  };
}
