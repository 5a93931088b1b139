import { readFileSync, statSync } from 'node:fs';
import type { Remark } from '../../core/indexed-document.js';
import { decodeSource } from '../reading/decode-source.js';
import type { DocumentRules } from '../reading/document-metadata.js';
import { extensionOf } from '../reading/readers.js';
import { textMarkup } from '../reading/text-markup.js';
import { type Components, expandAsciidoc } from './asciidoc-includes.js';
import { expandIncludes } from './expand-includes.js';
import { type CorpusFiles, Inclusion, type Lines, type Missed } from './inclusion.js';
import { expandRst } from './rst-includes.js';

const MAX_BYTES = 400_000;
/** Kinds of includes that a run names. */
const MAX_NAMED = 5;

export interface ExpandedPage {
  readonly bytes: Buffer;
  /** True if it changes when other files do. */
  readonly dependsOnOthers: boolean;
}

/**
 * The files that pages may include: regular files that the walk found. Hidden and ignored files, and those behind
 * symbolic links, are not among them.
 */
export class IncludedFiles implements CorpusFiles {
  private readonly absoluteOf = new Map<string, string>();
  private readonly missed: Missed[] = [];
  private components: Components | undefined;

  add(path: string, absolute: string): void {
    this.absoluteOf.set(path, absolute);
  }

  has(path: string): boolean {
    return this.absoluteOf.has(path);
  }

  read(path: string): string | null {
    const absolute = this.absoluteOf.get(path);
    try {
      if (absolute === undefined || statSync(absolute).size > MAX_BYTES) return null;
      return decodeSource(readFileSync(absolute));
    } catch {
      return null;
    }
  }

  /** The bytes of a page with the files that it includes. */
  expand(bytes: Buffer, path: string, rules: DocumentRules): ExpandedPage {
    const inclusion = new Inclusion(this);
    try {
      const text = decodeSource(bytes);
      const whole = this.expandText(text, path, { inclusion, rules });
      this.missed.push(...inclusion.missed);
      return { bytes: whole === text ? bytes : Buffer.from(whole), dependsOnOthers: inclusion.isAsked };
    } catch {
      // The reader of the page reports bytes that are not text.
      return { bytes, dependsOnOthers: false };
    }
  }

  /** What could not be put in, those first that most pages ask for. */
  remarks(): Remark[] {
    const kinds = new Map<string, { readonly first: Missed; count: number }>();
    for (const first of this.missed) {
      const key = `${first.what} ${first.why}`;
      const kind = kinds.get(key) ?? { first, count: 0 };
      kind.count++;
      kinds.set(key, kind);
    }
    if (kinds.size === 0) return [];
    const named = [...kinds.values()].sort((a, b) => b.count - a.count).slice(0, MAX_NAMED);
    const pages = new Set(this.missed.map(({ path }) => path)).size;
    const which = kinds.size > named.length ? `, the first ${named.length} of ${kinds.size}` : '';
    const total = `${counted(this.missed.length, 'include')} in ${counted(pages, 'page')}`;
    return [
      { path: total, reason: `not put in${which}`, isProblem: false },
      ...named.map(({ first: { path, line, what, why }, count }) => ({
        path: line > 0 ? `${path}:${line}` : path,
        reason: `${what} ${why}${count > 1 ? `, and ${counted(count - 1, 'more place')}` : ''}`,
        isProblem: false,
      })),
    ];
  }

  private expandText(
    text: string,
    page: string,
    { inclusion, rules }: { readonly inclusion: Inclusion; readonly rules: DocumentRules },
  ): string {
    const place = { page, above: [], inclusion };
    const extension = extensionOf(page);
    switch (MARKUP.get(extension) ?? (/^(?:txt|text|readme)$/.test(extension) ? textMarkup(text) : null)) {
      case 'md':
        return expandIncludes(text, place);
      case 'rst':
        return expandRst(text, place);
      case 'adoc':
        return expandAsciidoc(text, place, {
          attributes: rules.attributes ?? {},
          components: (this.components ??= this.findComponents()),
        });
      case null:
        return text;
    }
  }

  /** The components of Antora; those of several versions are in several folders, of which the last one counts. */
  private findComponents(): Components {
    const found = new Map<string, Lines>();
    for (const path of [...this.absoluteOf.keys()].sort()) {
      const [, folder] = /^(.*\/|)antora\.yml$/.exec(path) ?? [];
      const [, name] = folder === undefined ? [] : (NAME.exec(this.read(path) ?? '') ?? []);
      if (folder !== undefined && name !== undefined) found.set(name, [folder, ...(found.get(name) ?? [])]);
    }
    return found;
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const NAME = /^name:[ \t]*["']?([\w.-]+)/m;
const MARKUP: ReadonlyMap<string, 'md' | 'rst' | 'adoc'> = new Map([
  ...['md', 'markdown', 'mkd', 'mdown', 'qmd', 'rmd', 'mdc'].map((name) => [name, 'md'] as const),
  ...['rst', 'rest'].map((name) => [name, 'rst'] as const),
  ...['adoc', 'asciidoc', 'asc'].map((name) => [name, 'adoc'] as const),
]);
