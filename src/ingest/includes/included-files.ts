import { readFileSync, statSync } from 'node:fs';
import { decodeSource } from '../reading/decode-source.js';
import { expandIncludes, hasIncludes } from './expand-includes.js';

const MAX_BYTES = 400_000;

/**
 * The files that pages may include: regular files that the walk found. Hidden and ignored files, and those behind
 * symbolic links, are not among them.
 */
export class IncludedFiles {
  private readonly absoluteOf = new Map<string, string>();

  add(path: string, absolute: string): void {
    this.absoluteOf.set(path, absolute);
  }

  /** True if a page includes files, or would if they were there. */
  has(bytes: Buffer, path: string): boolean {
    return /\.(?:md|markdown)$/i.test(path) && hasIncludes(new TextDecoder().decode(bytes));
  }

  /** The bytes of a page with the files that it includes. */
  expand(bytes: Buffer, path: string): Buffer {
    if (!this.has(bytes, path)) return bytes;
    try {
      const text = decodeSource(bytes);
      const whole = expandIncludes(text, path, (included) => this.read(included));
      return whole === text ? bytes : Buffer.from(whole);
    } catch {
      // The reader of the page reports bytes that are not text.
      return bytes;
    }
  }

  private read(path: string): string | null {
    const absolute = this.absoluteOf.get(path);
    try {
      if (absolute === undefined || statSync(absolute).size > MAX_BYTES) return null;
      return decodeSource(readFileSync(absolute));
    } catch {
      return null;
    }
  }
}
