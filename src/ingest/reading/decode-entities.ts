const NAMED: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/** Decodes numeric and some named entities: MDX writes `{`, `<` and `_` as entities, which nobody searches for. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (entity: string, body: string) => {
    if (!body.startsWith('#')) return NAMED.get(body) ?? entity;
    // `#x41` is read as `0x41`, `#65` as `065`, which is 65.
    const code = Number(`0${body.slice(1)}`);
    return code > 31 && code < 0xd800 ? String.fromCharCode(code) : entity;
  });
}
