import { FreeNumbers } from '../series/free-numbers.ts';
import { Computations } from './computed/computations.ts';
import { NO_GROUP } from './outputs/none.ts';
import { Outputs } from './outputs/outputs.ts';
import { SharedPieces } from './shared-pieces.ts';
import { type HostStores, TranslatedHost } from './translated-host.ts';

/** Groups of points are numbered up to this, which two bytes hold, and then again. */
const MAX_GROUP = 65_535;

/** The hosts of which series are remembered, of all organizations, by their numbers. A number that is released is given again. */
export class KnownHosts {
  readonly outputs = new Outputs();
  readonly computations = new Computations(this.outputs);
  readonly #hosts: (TranslatedHost | null)[] = [];
  readonly #numbers = new FreeNumbers();
  #group = NO_GROUP;
  /** One for all hosts. */
  readonly #stores: HostStores = {
    outputs: this.outputs,
    computations: this.computations,
    pieces: new SharedPieces(this.outputs),
    release: ({ number }) => {
      this.#hosts[number] = null;
      this.#numbers.release(number);
    },
  };

  /** The number of a group of points, which ends before the next one begins. */
  beginGroup(): number {
    if (this.#group === MAX_GROUP) {
      this.outputs.forgetGroups();
      this.computations.forgetGroups();
      this.#group = NO_GROUP;
    }
    this.#group += 1;
    return this.#group;
  }

  /** A host without series; once the last of its series is forgotten, so is the host, and `onEmpty` is called with it. */
  create(name: string, onEmpty: (host: TranslatedHost) => void): TranslatedHost {
    const number = this.#numbers.take();
    const host = new TranslatedHost(number, name, this.#stores, onEmpty);
    this.#hosts[number] = host;
    return host;
  }

  of(number: number): TranslatedHost {
    const host = this.#hosts[number];
    if (host == null) throw new Error(`the host ${number} is not known`);
    return host;
  }
}
