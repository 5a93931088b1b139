import { CODE_EXTENSIONS, CONVERTED, type Converter } from './converted-text.js';
import { RECOGNISED } from './recognise.js';

const ODF = async (): Promise<Converter> => (await import('./convert-odf.js')).convertOdf;
const CSV = async (): Promise<Converter> => (await import('./convert-sheets.js')).convertCsv;
const MHTML = async (): Promise<Converter> => (await import('./convert-mail.js')).convertMhtml;

const MEDIAWIKI = async (): Promise<Converter> =>
  (await import('./wiki/convert-mediawiki.js')).convertMediawiki;

const LATEX = async (): Promise<Converter> => (await import('./latex/convert-latex.js')).convertLatex;

const FORMATS = [...CONVERTED, ...RECOGNISED] as const;

/** The converters of all formats, loaded with the first file. Only the thread imports this: the libraries are in its file. */
const LOADERS: Readonly<Record<(typeof FORMATS)[number], () => Promise<Converter>>> = {
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
  rtf: async () => (await import('./rtf/convert-rtf.js')).convertRtf,
  tex: LATEX,
  latex: LATEX,
  org: async () => (await import('./wiki/convert-org.js')).convertOrg,
  wiki: MEDIAWIKI,
  mediawiki: MEDIAWIKI,
  dokuwiki: async () => (await import('./wiki/convert-dokuwiki.js')).convertDokuwiki,
  textile: async () => (await import('./wiki/convert-textile.js')).convertTextile,
  markup: async () => (await import('./convert-xml.js')).convertXml,
  man: async () => (await import('./man/convert-man.js')).convertMan,
  api: async () => (await import('./api/convert-api.js')).convertApi,
};

/** Finds the converter of a format: an extension in lower case, or what the content of a file tells. */
export function converterFor(format: string): Promise<Converter> | undefined {
  if (CODE_EXTENSIONS.some((extension) => extension === format))
    return import('./code/convert-code.js').then(({ codeConverter }) => codeConverter(format));
  const known = FORMATS.find((one) => one === format);
  return known && LOADERS[known]();
}
