/** Bump when the same file gives other sections or ids; an index of another version is built anew. */
export const SECTIONING_VERSION = 3;
