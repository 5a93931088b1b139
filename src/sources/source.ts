// src/sources: where documents come from – sites, repositories, archives, files – and the private copies that are indexed
/** Where documents come from, and which of them are read. */
export interface Source {
  /** Unique in a list: lower-case letters, digits, `.`, `_` and `-`; 1 to 64 characters. */
  readonly name: string;
  readonly kind: 'folder' | 'file' | 'archive' | 'git' | 'site';
  /** A path, or an address without a user, a password or a token. */
  readonly address: string;
  /** Hosts inside the machine or its networks that may be asked, such as `docs.internal:8080`; all others are refused. */
  readonly allowedHosts: readonly string[];
  /** Where its secret is: the name of a variable of the environment, or `file:PATH`. The secret itself is never kept. */
  readonly secret?: string;
}

/** A repository of git. */
export interface GitSource extends Source {
  readonly kind: 'git';
  /** A branch or a tag. Default: the branch that the repository names. */
  readonly branch?: string;
  /** A folder or a file in it. Default: everything. */
  readonly path?: string;
}

/** A file or an archive of this machine or at an address. */
export interface FileSource extends Source {
  readonly kind: 'file' | 'archive';
}

export interface FolderSource extends Source {
  readonly kind: 'folder';
}

/** A file of a copy, and where it came from. */
export interface CopiedFile {
  /** Inside the copy, with `/`. */
  readonly path: string;
  /** The page's own address, which citations show. */
  readonly address: string;
  /** When the page changed, as the source says: ISO 8601. */
  readonly modifiedAt?: string;
  /** Sent with the next request, so that the source can answer "not modified". */
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A part of a source that was not read. */
export interface Refusal {
  readonly address: string;
  readonly reason: string;
}

/** The parts of a source that are not read, up to a limit; further ones are counted. */
export class RefusalList {
  private readonly listed: Refusal[] = [];
  private further = 0;

  /** @param summary  makes the line for those above the limit */
  constructor(
    private readonly max: number,
    private readonly summary: (further: number) => Refusal,
  ) {}

  add(address: string, reason: string): void {
    if (this.listed.length < this.max) this.listed.push({ address, reason });
    else this.further++;
  }

  /** Sorted by address; the summary is the last. */
  list(): Refusal[] {
    const sorted = [...this.listed].sort((a, b) => (a.address < b.address ? -1 : 1));
    return this.further === 0 ? sorted : [...sorted, this.summary(this.further)];
  }
}

export interface FetchRequest<S extends Source = Source> {
  readonly source: S;
  /** An empty folder for the new copy. */
  readonly folder: string;
  /** The last whole copy, whose files may be linked into the new one; null for the first. */
  readonly previous: { readonly folder: string; readonly copy: FetchedCopy } | null;
  readonly signal: AbortSignal;
  /** Takes a line for people. */
  readonly report: (line: string) => void;
}

/** A whole copy of a source. */
export interface FetchedCopy {
  readonly files: readonly CopiedFile[];
  readonly refused: readonly Refusal[];
  /** The folder of the files in the copy, if settings of their site are above it. Default: the copy itself. */
  readonly inside?: string | undefined;
  /** The commit, digest or date that the copy was made from; equal if nothing has changed. */
  readonly revision: string;
}

/** Brings the files of a source into a folder. A fetcher never writes outside of it. */
export type FetchSource<S extends Source> = (request: FetchRequest<S>) => Promise<FetchedCopy>;
