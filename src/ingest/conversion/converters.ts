import { CONVERTED, type Converter } from './converted-text.js';

const ODF = async (): Promise<Converter> => (await import('./convert-odf.js')).convertOdf;
const CSV = async (): Promise<Converter> => (await import('./convert-sheets.js')).convertCsv;
const MHTML = async (): Promise<Converter> => (await import('./convert-mail.js')).convertMhtml;

/** The converters of `CONVERTED`, loaded with the first file. Only the thread imports this: the libraries are in its file. */
const LOADERS: Readonly<Record<(typeof CONVERTED)[number], () => Promise<Converter>>> = {
  pdf: async () => (await import('./pdf/convert-pdf.js')).convertPdf,
  docx: async () => (await import('./convert-docx.js')).convertDocx,
  pptx: async () => (await import('./convert-pptx.js')).convertPptx,
  xlsx: async () => (await import('./convert-sheets.js')).convertXlsx,
  odt: ODF,
  odp: ODF,
  ods: ODF,
  epub: async () => (await import('./convert-epub.js')).convertEpub,
  ipynb: async () => (await import('./convert-notebook.js')).convertNotebook,
  csv: CSV,
  tsv: CSV,
  eml: async () => (await import('./convert-mail.js')).convertMail,
  mbox: async () => (await import('./convert-mail.js')).convertMbox,
  mhtml: MHTML,
  mht: MHTML,
};

/** Finds the converter of an extension in lower case. */
export function converterFor(extension: string): Promise<Converter> | undefined {
  const format = CONVERTED.find((one) => one === extension);
  return format && LOADERS[format]();
}
