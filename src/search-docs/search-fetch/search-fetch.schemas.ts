import { z } from 'zod';

// The shapes are those that ChatGPT's deep research and company knowledge expect:
// https://developers.openai.com/api/docs/mcp ("search tool", "fetch tool").

const MAX_QUERY = 4_000;
const MAX_ID = 1_024;
/** Limit of a reply of `fetch` (bytes). It has the text twice: as JSON text, and in structuredContent. */
export const FETCH_BYTES = 131_072;

export const searchDocumentsInput = z.strictObject({ query: z.string().min(1).max(MAX_QUERY).regex(/\S/u) });
export type SearchDocumentsInput = z.output<typeof searchDocumentsInput>;

export const searchDocumentsOutput = z.strictObject({
  results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })),
});
export type SearchDocumentsOutput = z.output<typeof searchDocumentsOutput>;

export const fetchDocumentInput = z.strictObject({ id: z.string().min(1).max(MAX_ID) });
export type FetchDocumentInput = z.output<typeof fetchDocumentInput>;

export const fetchDocumentOutput = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.string(),
  url: z.string(),
  /** Values of the document's front matter, `path`, `updated_at`, and `continues_with`: the id to read on with, if there is more. */
  metadata: z.record(z.string(), z.string()),
});
export type FetchDocumentOutput = z.output<typeof fetchDocumentOutput>;
