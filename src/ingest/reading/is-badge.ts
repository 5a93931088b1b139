const BADGE =
  /(?:^|\/\/|\.)(?:shields\.io|badge\.fury\.io|badgen\.net|badges\.gitter\.im|readthedocs\.org\/projects\/[^/]+\/badge|(?:travis-ci|codecov|coveralls|circleci|appveyor|snyk)\.[a-z]+\/[^\s]*\.(?:svg|png))|\/badge(?:s)?(?:\/|\.svg|\.png|\?)/i;
const IMAGE = /!\[[^[\]]{0,300}\]\(\s*<?([^\s()<>]{1,2048})>?[^()]{0,300}\)/g;
const LINKED = /\[\s*\]\([^()\s]{0,2048}[^()]{0,300}\)/g;

/** True for an image that shows the build state, version or licence of a project. */
export function isBadge(src: string): boolean {
  return BADGE.test(src);
}

/** True when Markdown contains only badges, with or without links around them. */
export function isBadges(markdown: string): boolean {
  let badges = 0;
  const rest = markdown.replace(IMAGE, (image, src: string) => {
    if (!isBadge(src)) return image;
    badges++;
    return '';
  });
  return badges > 0 && rest.replace(LINKED, '').trim() === '';
}
