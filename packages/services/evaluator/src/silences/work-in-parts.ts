/** Work on an organization's alerts: each step of `parts` is one part of bounded size. */
export interface WorkInParts {
  organizationId: string;
  parts: AsyncIterator<unknown>;
}

/**
 * Work that is done in parts, one part of each organization in turn, so that one with many alerts delays no other. What is
 * left when a round ends stays for the next round.
 */
export class WorksInParts {
  /** Of each organization by its key, in the order in which it was added; the organization whose turn is next comes first. */
  readonly #waiting = new Map<string, Map<string, WorkInParts>>();

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether work of that key is under way. */
  has(organizationId: string, key: string): boolean {
    return this.#waiting.get(organizationId)?.has(key) ?? false;
  }

  /** Adds work; does nothing where work of the same key is under way. */
  add(key: string, work: WorkInParts): void {
    const own = this.#waiting.get(work.organizationId) ?? new Map<string, WorkInParts>();
    this.#waiting.set(work.organizationId, own);
    if (!own.has(key)) own.set(key, work);
  }

  /** Does one part after the other until nothing is left or `isOver` holds. Work whose part fails is forgotten. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [organizationId, own] = next;
      const [first] = own;
      // Last in turn from now on.
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
