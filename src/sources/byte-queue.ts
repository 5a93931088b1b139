/** Bytes that arrive in pieces and are taken in other ones. Each byte is copied at most once. */
export class ByteQueue {
  private pieces: Buffer[] = [];
  private size = 0;

  get length(): number {
    return this.size;
  }

  push(piece: Buffer): void {
    if (piece.length > 0) this.pieces.push(piece);
    this.size += piece.length;
  }

  /** The first bytes, which leave the queue. @param count  at most the length */
  take(count: number): Buffer {
    const taken: Buffer[] = [];
    let [whole, needed] = [0, count];
    for (const piece of this.pieces) {
      if (piece.length > needed) break;
      taken.push(piece);
      needed -= piece.length;
      whole++;
    }
    this.pieces = this.pieces.slice(whole);
    const [first] = this.pieces;
    if (first && needed > 0) {
      taken.push(first.subarray(0, needed));
      this.pieces[0] = first.subarray(needed);
    }
    this.size -= count;
    const [only = Buffer.alloc(0)] = taken;
    return taken.length > 1 ? Buffer.concat(taken) : only;
  }

  /** The bytes before a newline, which leaves the queue with them; null if there is none yet. */
  takeLine(): string | null {
    let before = 0;
    for (const piece of this.pieces) {
      const at = piece.indexOf(0x0a);
      if (at >= 0)
        return this.take(before + at + 1)
          .toString()
          .slice(0, -1);
      before += piece.length;
    }
    return null;
  }
}
