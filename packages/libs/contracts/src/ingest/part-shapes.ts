import { FNV_OF_NOTHING, fnvWith } from '../values/fnv.ts';
import { isSameLayout, isSameShape, type PartLists, type PartShape, shapeOf } from './part-shape.ts';

/** The parts and metrics of hosts, without labels. Hosts with the same ones share these lists. */
interface Layout {
  readonly hash: number;
  readonly lists: Omit<PartShape, 'labels'>;
  /** The number of remembered hosts with it. */
  hosts: number;
}

interface Remembered {
  readonly shape: PartShape;
  readonly layout: Layout;
}

/** The characters of all remembered shapes, which bounds their memory whatever hosts send: 11,000 hosts of which each has 30 other parts. */
const MAX_CHARACTERS = 96 * 1_024 * 1_024;
/** What is remembered is dropped after this many shapes that found no room, since other hosts report by then. */
const FORGET_AFTER = 50_000;
/** What an element of a list takes besides its text, in characters. */
const ELEMENT = 8;

/** Remembers the last shape of each host, within a limit of memory: the parts of a host seldom change. */
export class PartShapes {
  readonly #maxCharacters: number;
  readonly #forgetAfter: number;
  readonly #byHost = new Map<string, Remembered>();
  /** By their hash. Of two with the same hash, one has no place here, and is not shared. */
  readonly #layouts = new Map<number, Layout>();
  #characters = 0;
  #withoutRoom = 0;

  constructor(maxCharacters = MAX_CHARACTERS, forgetAfter = FORGET_AFTER) {
    this.#maxCharacters = maxCharacters;
    this.#forgetAfter = forgetAfter;
  }

  /**
   * The shape of these lists: that of the host's last payload if it is the same. Without room for another shape, those that are
   * remembered stay, so that most hosts of a large fleet keep theirs.
   */
  of(host: string, lists: PartLists): PartShape {
    const last = this.#byHost.get(host);
    if (last !== undefined && isSameShape(last.shape, lists)) return last.shape;
    const layout = this.#layoutOf(lists);
    if (last !== undefined) this.#forget(host, last);
    const shape = { ...layout.lists, labels: lists.labels };
    if (!this.#hasRoom(host, shape, layout)) {
      this.#withoutRoom += 1;
      if (this.#withoutRoom < this.#forgetAfter) return shape;
      this.#forgetAll();
      if (!this.#hasRoom(host, shape, layout)) return shape;
    }
    if (layout.hosts === 0) {
      if (!this.#layouts.has(layout.hash)) this.#layouts.set(layout.hash, layout);
      this.#characters += charactersOfLayout(layout);
    }
    layout.hosts += 1;
    this.#characters += charactersOfHost(host, shape);
    this.#byHost.set(host, { shape, layout });
    return shape;
  }

  #hasRoom(host: string, shape: PartShape, layout: Layout): boolean {
    const added = charactersOfHost(host, shape) + (layout.hosts === 0 ? charactersOfLayout(layout) : 0);
    return this.#characters + added <= this.#maxCharacters;
  }

  #layoutOf(lists: PartLists): Layout {
    const hash = hashOf(lists);
    const known = this.#layouts.get(hash);
    if (known !== undefined && isSameLayout(known.lists, lists)) return known;
    const { labels: _, ...ofLayout } = shapeOf(lists);
    return { hash, lists: ofLayout, hosts: 0 };
  }

  #forget(host: string, { shape, layout }: Remembered): void {
    this.#byHost.delete(host);
    this.#characters -= charactersOfHost(host, shape);
    layout.hosts -= 1;
    if (layout.hosts > 0) return;
    if (this.#layouts.get(layout.hash) === layout) this.#layouts.delete(layout.hash);
    this.#characters -= charactersOfLayout(layout);
  }

  #forgetAll(): void {
    for (const { layout } of this.#byHost.values()) layout.hosts = 0;
    this.#byHost.clear();
    this.#layouts.clear();
    this.#characters = 0;
    this.#withoutRoom = 0;
  }
}

function charactersOfHost(host: string, { labels }: PartShape): number {
  let characters = host.length + labels.length * ELEMENT;
  for (const each of labels)
    for (const [name, value] of Object.entries(each ?? {})) characters += name.length + value.length;
  return characters;
}

function charactersOfLayout({ lists }: Layout): number {
  let characters = 2 * ELEMENT * (lists.keys.length + lists.names.length);
  for (const key of lists.keys) characters += key.length;
  for (const name of lists.names) characters += name.length;
  return characters;
}

function hashOf({ names, metrics }: PartLists): number {
  let hash = FNV_OF_NOTHING;
  for (const name of names) hash = fnvWith(hash, name);
  for (const metric of metrics) hash = fnvWith(hash, metric);
  return hash;
}
