/** Work on an organization’s alerts: each step of `parts` does one part of bounded size. */
export interface WorkInParts {
  organizationId: string;
  parts: AsyncIterator<unknown>;
}

/** Queues of work by organization; organizations take turns, one part at a time. */
export class WorksInParts {
  /** Work of each organization by key, in the order of being added; the next organization in turn comes first. */
  readonly #waiting = new Map<string, Map<string, WorkInParts>>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether work of that key is queued. */
  has(organizationId: string, key: string): boolean {
    return this.#waiting.get(organizationId)?.has(key) ?? false;
  }

  /** Adds work; does nothing if work of the same key is queued. */
  add(key: string, work: WorkInParts): void {
    const own = this.#waiting.get(work.organizationId) ?? new Map<string, WorkInParts>();
    this.#waiting.set(work.organizationId, own);
    if (!own.has(key)) own.set(key, work);
  }

  /** Runs parts of work in turn until nothing is left or `isOver` returns true. Work whose part fails is dropped. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [organizationId, own] = next;
      const [first] = own;
      // Moves the organization to the end of the turn.
      this.#waiting.delete(organizationId);
      if (first === undefined) continue;
      const [key, work] = first;
      own.delete(key);
      if (own.size > 0) this.#waiting.set(organizationId, own);
      const { done } = await work.parts.next();
      if (done !== true) this.add(key, work);
    }
  }

  clear(): void {
    this.#waiting.clear();
  }
}
