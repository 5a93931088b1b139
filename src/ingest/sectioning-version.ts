/** Increment when the same file gives different sections or ids; an index with another version is rebuilt. */
export const SECTIONING_VERSION = 3;
