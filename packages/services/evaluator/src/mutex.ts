/** A lock that one caller at a time holds, in the order of requests. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /** Resolves with the function that releases the lock; releasing twice does nothing. */
  async acquire(): Promise<() => void> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise<void>((resolve) => {
      release = resolve;
    });
    await before;
    return release;
  }
}
