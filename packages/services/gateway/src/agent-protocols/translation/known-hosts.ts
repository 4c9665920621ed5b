import { SharedPieces } from './shared-pieces.ts';
import { TranslatedHost } from './translated-host.ts';

/** The hosts of which series are remembered, of all organizations, by their numbers. A number that is released is given again. */
export class KnownHosts {
  readonly #hosts: (TranslatedHost | null)[] = [];
  readonly #pieces = new SharedPieces();
  readonly #free: number[] = [];

  /** A host without series; once the last of its series is forgotten, so is the host, and `onEmpty` is called. */
  create(name: string, onEmpty: () => void): TranslatedHost {
    const number = this.#free.pop() ?? this.#hosts.length;
    const host = new TranslatedHost(number, name, this.#pieces, () => {
      this.#hosts[number] = null;
      this.#free.push(number);
      onEmpty();
    });
    this.#hosts[number] = host;
    return host;
  }

  of(number: number): TranslatedHost {
    const host = this.#hosts[number];
    if (host == null) throw new Error(`the host ${number} is not known`);
    return host;
  }
}
