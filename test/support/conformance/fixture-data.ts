/** A picture of one pixel. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
/** A sound without samples. */
export const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

const required = (name: string) => ({ required: [name] });

/** A schema with keywords that a server must not drop. */
export const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [required('phone'), required('email')] }],
  if: { properties: { contactMethod: { const: 'phone' } }, ...required('contactMethod') },
  then: required('phone'),
  else: required('email'),
  additionalProperties: false,
} as const;

/** A form with a default for each type. */
export const FORM_WITH_DEFAULTS = {
  type: 'object' as const,
  properties: {
    name: { type: 'string' as const, default: 'John Doe' },
    age: { type: 'integer' as const, default: 30 },
    score: { type: 'number' as const, default: 95.5 },
    status: { type: 'string' as const, enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean' as const, default: true },
  },
  required: [],
};

const titled = (word: string) => [1, 2, 3].map((n) => ({ const: `value${n}`, title: `${word} ${n}` }));
const OPTIONS = ['option1', 'option2', 'option3'];

/** A form with each kind of choice. */
export const FORM_WITH_CHOICES = {
  type: 'object' as const,
  properties: {
    untitledSingle: { type: 'string' as const, enum: OPTIONS },
    titledSingle: { type: 'string' as const, oneOf: titled('Option') },
    legacyEnum: {
      type: 'string' as const,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array' as const, items: { type: 'string' as const, enum: OPTIONS } },
    titledMulti: { type: 'array' as const, items: { anyOf: titled('Choice') } },
  },
  required: [],
};

/** A form with one field. */
export const formOf = (name: string, type: 'string' | 'boolean' = 'string') => {
  const field = type === 'string' ? { type: 'string' as const } : { type: 'boolean' as const };
  return { type: 'object' as const, properties: { [name]: field }, required: [name] };
};
