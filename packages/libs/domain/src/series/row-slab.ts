/** The number of doubles in a row: what a cache line of 64 bytes holds. */
export const DOUBLES_IN_A_ROW = 8;
/** The number of rows in one piece of memory. */
const ROWS = 1_024;
const WORDS_IN_A_DOUBLE = 2;
const NONE = 0;

/** A piece of memory with many rows. Rows that were given back form a linked list through their first words. */
class Piece {
  readonly doubles = new Float64Array(ROWS * DOUBLES_IN_A_ROW);
  readonly words = new Uint32Array(this.doubles.buffer);
  /** The number of rows in use. */
  held = 0;
  /** The number of rows that were ever in use. */
  #begun = 0;
  /** The first row of the list of free rows, plus one. */
  #freed = NONE;

  get isFull(): boolean {
    return this.held === ROWS;
  }

  take(): number {
    this.held += 1;
    if (this.#freed === NONE) {
      this.#begun += 1;
      return this.#begun - 1;
    }
    const row = this.#freed - 1;
    this.#freed = this.words[row * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE] as number;
    return row;
  }

  giveBack(row: number): void {
    this.words[row * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE] = this.#freed;
    this.#freed = row + 1;
    this.held -= 1;
  }
}

/**
 * Allocates rows of eight doubles, each of which can be used as two 32-bit words instead. A row is identified by a small
 * integer and has no object of its own; it must be given back.
 */
export class RowSlab {
  readonly #pieces: (Piece | undefined)[] = [];
  /** Pieces that have free rows. */
  readonly #roomy = new Set<number>();

  /** The number of rows in use. */
  get held(): number {
    return this.#pieces.reduce((sum, piece) => sum + (piece?.held ?? 0), 0);
  }

  /** The number of allocated pieces of memory, 64 KiB each. */
  get pieces(): number {
    return this.#pieces.filter((piece) => piece !== undefined).length;
  }

  /** Allocates a row and returns its number, 0 or more; its content is arbitrary. */
  take(): number {
    const [index = this.#grow()] = this.#roomy;
    const piece = this.#pieces[index] as Piece;
    const row = piece.take();
    if (piece.isFull) this.#roomy.delete(index);
    return index * ROWS + row;
  }

  /** Frees a row, which must be in use and may not be used afterwards. */
  giveBack(row: number): void {
    const index = Math.floor(row / ROWS);
    const piece = this.#pieces[index] as Piece;
    piece.giveBack(row % ROWS);
    this.#roomy.add(index);
    // Keeps the last piece with free rows, so that a row which is taken and freed repeatedly does not allocate a piece each
    // time.
    if (piece.held > 0 || this.#roomy.size === 1) return;
    this.#pieces[index] = undefined;
    this.#roomy.delete(index);
  }

  /** Reads a double of a row by its index, 0 to 7. */
  double(row: number, place: number): number {
    const { doubles } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    return doubles[(row % ROWS) * DOUBLES_IN_A_ROW + place] as number;
  }

  setDouble(row: number, place: number, value: number): void {
    const { doubles } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    doubles[(row % ROWS) * DOUBLES_IN_A_ROW + place] = value;
  }

  /** Reads a 32-bit word of a row by its index, 0 to 15: two for each double. */
  word(row: number, place: number): number {
    const { words } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    return words[(row % ROWS) * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE + place] as number;
  }

  setWord(row: number, place: number, value: number): void {
    const { words } = this.#pieces[Math.floor(row / ROWS)] as Piece;
    words[(row % ROWS) * DOUBLES_IN_A_ROW * WORDS_IN_A_DOUBLE + place] = value;
  }

  #grow(): number {
    const vacant = this.#pieces.indexOf(undefined);
    const index = vacant === -1 ? this.#pieces.length : vacant;
    this.#pieces[index] = new Piece();
    this.#roomy.add(index);
    return index;
  }
}
