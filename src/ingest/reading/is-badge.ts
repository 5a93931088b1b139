const BADGE =
  /(?:^|\/\/|\.)(?:shields\.io|badge\.fury\.io|badgen\.net|badges\.gitter\.im|readthedocs\.org\/projects\/[^/]+\/badge|(?:travis-ci|codecov|coveralls|circleci|appveyor|snyk)\.[a-z]+\/[^\s]*\.(?:svg|png))|\/badge(?:s)?(?:\/|\.svg|\.png|\?)/i;
const IMAGE = /!\[[^[\]]{0,300}\]\(\s*<?([^\s()<>]{1,2048})>?[^()]{0,300}\)/g;
const LINKED = /\[\s*\]\([^()\s]{0,2048}[^()]{0,300}\)/g;

/** Whether an image is one of the small signs for build state, version or licence that projects show. */
export function isBadge(src: string): boolean {
  return BADGE.test(src);
}

/** Whether Markdown holds nothing but badges, with links around them or without. */
export function isBadges(markdown: string): boolean {
  let badges = 0;
  const rest = markdown.replace(IMAGE, (image, src: string) => {
    if (!isBadge(src)) return image;
    badges++;
    return '';
  });
  return badges > 0 && rest.replace(LINKED, '').trim() === '';
}
