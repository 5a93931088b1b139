import { decodeAs } from '../../reading/decode-source.js';
import { MalformedDocumentError } from '../../reading/parsed-document.js';
import type { ConvertedText } from '../converted-text.js';
import { escapeHtml, htmlPage } from '../html-text.js';
import { RtfBlocks } from './rtf-blocks.js';
import { CHARACTERS, CHARSETS, pageNamed, type RtfToken, rtfTokens } from './rtf-tokens.js';

/** Groups that are no text of the document. */
const HIDDEN =
  /^(?:colortbl|pict|object|header[lrf]?|footer[lrf]?|ftnsep\w*|aftnsep\w*|listtable|listoverridetable|rsidtbl|generator|xmlnstbl|themedata|colorschememapping|latentstyles|datastore|datafield|bkmkstart|bkmkend|annotation|atnid|atnauthor|filetbl|revtbl|pgdsctbl|nonshppict|do|template|author|operator|company|subject|keywords|category|doccomm|comment|hlinkbase|pnseclvl|xe|tc|fldtype|private)$/;
const MONOSPACED = /courier|consolas|mono|menlo|typewriter|fixed/i;
/** Levels of groups. */
const MAX_GROUPS = 10_000;

type Place = 'text' | 'hidden' | 'facts' | 'fonts' | 'styles' | 'title' | 'bullet' | 'address';

interface Group {
  place: Place;
  font: number;
  /** Characters that follow a character of Unicode for older readers. */
  skip: number;
  /** HTML that follows the text of the group. */
  after: string;
  isHidden: boolean;
}

/** Converts a document in RTF. Page headers and footers, pictures and comments are left out. @throws MalformedDocumentError */
export function convertRtf(bytes: Uint8Array): ConvertedText {
  const source = Buffer.from(bytes).toString('latin1');
  if (!source.startsWith('{\\rtf'))
    throw new MalformedDocumentError(0, 'it is damaged: it does not begin as RTF');
  const document = new RtfDocument();
  for (const token of rtfTokens(source)) document.take(token);
  return htmlPage(
    document.title.trim(),
    document.finish(),
    document.pictures > 0 ? [`${document.pictures} pictures are left out`] : [],
  );
}

class RtfDocument {
  title = '';
  pictures = 0;
  private readonly groups: Group[] = [];
  private group: Group = { place: 'text', font: 0, skip: 1, after: '', isHidden: false };
  private readonly fonts = new Map<number, { charset: string; isCode: boolean }>();
  private readonly headings = new Map<number, number>();
  private defaultFont = 0;
  private page = 'windows-1252';
  /** Bytes in a code page that are not decoded yet. */
  private bytes: number[] = [];
  private toSkip = 0;
  private address = '';
  private readonly named = { address: '', style: 0 };
  private style = 0;
  private outline = -1;
  private bullet = '';
  private readonly blocks = new RtfBlocks();
  private isStarred = false;

  take(token: RtfToken): void {
    if (token.kind === 'text' && this.bytes.length > 0) {
      // In pages for East Asia, the second byte of a character can be that of a letter.
      this.bytes.push(token.text.charCodeAt(0));
      this.decodeBytes();
      this.text(token.text.slice(1));
      return;
    }
    if (token.kind !== 'byte') this.decodeBytes();
    if (token.kind === 'open') this.open();
    else if (token.kind === 'close') this.close();
    else if (token.kind === 'word') this.word(token.word, token.number);
    else if (token.kind === 'byte') {
      if (this.toSkip > 0) this.toSkip--;
      else this.bytes.push(token.byte);
    } else this.text(token.text);
  }

  finish(): string {
    this.decodeBytes();
    this.endParagraph();
    return this.blocks.finish();
  }

  private open(): void {
    if (this.groups.length >= MAX_GROUPS)
      throw new MalformedDocumentError(0, 'its groups are nested too deeply');
    this.groups.push(this.group);
    this.group = { ...this.group, after: '' };
    this.toSkip = 0;
  }

  private close(): void {
    const { place, after } = this.group;
    if (after !== '') this.blocks.paragraph.html += after;
    if (place === 'address' && this.groups.at(-1)?.place !== 'address') this.readAddress();
    this.group = this.groups.pop() ?? this.group;
    this.toSkip = 0;
    this.isStarred = false;
  }

  private readAddress(): void {
    const [, href = ''] = /HYPERLINK\s+(?:\\l\s+)?"([^"]{1,2000})"/.exec(this.address) ?? [];
    const mark = /\\l\s/.test(this.address) ? '#' : '';
    this.named.address = href === '' ? '' : mark + href;
    this.address = '';
  }

  private text(written: string): void {
    const skipped = Math.min(this.toSkip, written.length);
    this.toSkip -= skipped;
    this.add(
      /[\x80-\xff]/.test(written)
        ? this.decoded(Buffer.from(written.slice(skipped), 'latin1'))
        : written.slice(skipped),
    );
  }

  private add(text: string): void {
    const { place, isHidden, font } = this.group;
    if (place === 'title') this.title += text;
    else if (place === 'address') this.address += text.slice(0, 5_000);
    else if (place === 'bullet') this.bullet += text;
    else if (place === 'fonts') this.nameFont(text);
    else if (place === 'styles') this.nameStyle(text);
    else if (place === 'text' && !isHidden) {
      this.blocks.paragraph.html += escapeHtml(text);
      this.blocks.paragraph.text += text;
      if (this.fonts.get(font)?.isCode) this.blocks.paragraph.code += text.length;
    }
  }

  private nameFont(text: string): void {
    const font = this.fonts.get(this.group.font);
    if (font && MONOSPACED.test(text)) font.isCode = true;
  }

  private nameStyle(text: string): void {
    const [, level] = /^\s*heading (\d)/i.exec(text) ?? [];
    if (level !== undefined) this.headings.set(this.named.style, Number(level));
    else if (/^\s*Title\s*;/i.test(text)) this.headings.set(this.named.style, 1);
  }

  private decodeBytes(): void {
    if (this.bytes.length === 0) return;
    const bytes = Uint8Array.from(this.bytes);
    this.bytes = [];
    this.add(this.decoded(bytes));
  }

  private decoded(bytes: Uint8Array): string {
    const charset = this.fonts.get(this.group.font)?.charset;
    return decodeAs(charset === undefined || charset === '' ? this.page : charset, bytes);
  }

  private word(word: string, number: number | null): void {
    if (word === '*') this.isStarred = true;
    else if (this.enter(word)) return;
    else if (word === 'u') this.character(number ?? 0);
    else if (CHARACTERS[word] !== undefined) this.text(CHARACTERS[word]);
    else (this.words[word] ?? ((): void => undefined))(number ?? 1);
  }

  /** Enters the place that a group is. */
  private enter(word: string): boolean {
    const place =
      PLACES[word] ?? (HIDDEN.test(word) || (this.isStarred && word !== 'shppict') ? 'hidden' : undefined);
    this.isStarred = false;
    if (word === 'pict' && this.group.place === 'text') this.pictures++;
    if (place !== undefined && this.group.place !== 'hidden') this.group.place = place;
    if (word === 'footnote') {
      this.blocks.paragraph.html += ' (';
      this.group.after = ')';
    }
    if (word === 'fldrslt' && this.named.address !== '') {
      this.blocks.paragraph.html += `<a href="${escapeHtml(this.named.address)}">`;
      this.group.after = '</a>';
      this.named.address = '';
    }
    return place !== undefined;
  }

  private character(number: number): void {
    const code = number < 0 ? number + 65_536 : number;
    this.toSkip = 0;
    this.add(String.fromCharCode(code));
    this.toSkip = this.group.skip;
  }

  private readonly words: Readonly<Record<string, (number: number) => void>> = {
    ansicpg: (number) => {
      this.page = pageNamed(number);
    },
    mac: () => {
      this.page = 'macintosh';
    },
    deff: (number) => {
      this.defaultFont = number;
      this.group.font = number;
    },
    plain: () => {
      this.group.font = this.defaultFont;
      this.group.isHidden = false;
    },
    uc: (number) => {
      this.group.skip = number;
    },
    f: (number) => {
      this.group.font = number;
      if (this.group.place === 'fonts') this.fonts.set(number, { charset: '', isCode: false });
    },
    fmodern: () => {
      const font = this.fonts.get(this.group.font);
      if (this.group.place === 'fonts' && font) font.isCode = true;
    },
    fcharset: (number) => {
      const font = this.fonts.get(this.group.font);
      if (font) font.charset = CHARSETS[number] ?? '';
    },
    s: (number) => {
      if (this.group.place === 'styles') this.named.style = number;
      else this.style = number;
    },
    v: (number) => {
      this.group.isHidden = number !== 0;
    },
    pard: () => {
      // That of a bullet says nothing of the paragraph that it stands in.
      if (this.group.place !== 'text') return;
      this.style = 0;
      this.outline = -1;
      this.blocks.isInTable = false;
    },
    outlinelevel: (number) => {
      this.outline = number;
    },
    intbl: () => {
      this.blocks.isInTable = true;
    },
    par: () => this.endParagraph(),
    sect: () => this.endParagraph(),
    page: () => this.endParagraph(),
    line: () => {
      this.blocks.paragraph.html += '<br>';
      this.blocks.paragraph.text += '\n';
    },
    cell: () => {
      this.endParagraph();
      this.blocks.endCell();
    },
    row: () => this.blocks.endRow(),
  };

  private endParagraph(): void {
    if (this.group.place !== 'text') return;
    const isOutline = this.outline >= 0 && this.outline < 9;
    this.blocks.endParagraph({
      level: this.headings.get(this.style) ?? (isOutline ? this.outline + 1 : 0),
      bullet: this.bullet.trim(),
    });
    this.bullet = '';
  }
}

const PLACES: Readonly<Record<string, Place>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  info: 'facts',
  title: 'title',
  listtext: 'bullet',
  pntext: 'bullet',
  fldinst: 'address',
  footnote: 'text',
};
