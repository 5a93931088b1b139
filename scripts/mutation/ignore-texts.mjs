// A plugin of Stryker: texts for people are not changed, since unit tests do not compare them.
const TEXT_FIELDS = new Set(['description', 'error', 'hint', 'message', 'title']);

const isText = (path) => path.isStringLiteral() || path.isTemplateLiteral() || path.isBinaryExpression();

function isForPeople(path) {
  const { node, parent } = path;
  if (path.parentPath?.isObjectProperty() && parent.value === node) return TEXT_FIELDS.has(parent.key.name);
  if (path.parentPath?.isNewExpression()) return parent.callee.name?.endsWith('Error');
  return path.parentPath?.isCallExpression() && parent.callee.property?.name === 'describe';
}

export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'texts',
    value: { shouldIgnore: (path) => (isText(path) && isForPeople(path) ? 'a text for people' : undefined) },
  },
];
