/**
 * Wakes polls of a process once another part of it has committed what they look for, so that they may poll rarely. A process gets one
 * only if all that writes to the database is in it; what is committed elsewhere, as by a command, waits for the next poll.
 */
export class CommitSignal {
  readonly #listeners: (() => void)[] = [];

  /** Calls `listener` after each commit that may have left work. */
  onCommit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Must be called after the commit, since a poll before it finds nothing. */
  emit(): void {
    for (const listener of this.#listeners) listener();
  }
}
