import {
  type DocumentMetadata,
  documentMetadata,
  type DocumentRules,
} from '../../../../src/ingest/reading/document-metadata.js';
import { splitFrontMatter } from '../../../../src/ingest/reading/front-matter/split-front-matter.js';

const RULES: DocumentRules = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: [] };
const read = (yaml: string, rules: Partial<DocumentRules> = {}): DocumentMetadata =>
  documentMetadata(splitFrontMatter(`---\n${yaml}\n---\n`).written, { ...RULES, ...rules });

describe('documentMetadata', () => {
  it('prefers mcp_metadata, then metadata, then declared keys at the top level, then the manifest', () => {
    const yaml = 'a: top\nb: top\nc: top\nmetadata: { a: low, b: low }\nmcp_metadata: { a: high }';
    const rules = { metadata: { c: 'manifest', d: 'manifest' }, declaredKeys: ['a', 'b', 'c', 'd'] };
    expect(read(yaml, rules)).toEqual({
      metadata: { a: 'high', b: 'low', c: 'top', d: 'manifest' },
      problems: [],
    });
  });

  it('reads a key at the top level only if the manifest declares it', () => {
    const yaml = 'version: 7.4\nstate: draft';
    expect(read(yaml, { declaredKeys: ['version'] }).metadata).toEqual({ version: '7.4' });
  });

  it.each([
    ['a number with its zeros', '7.10', '7.10'],
    ['a whole number', '007', '007'],
    ['a date', '2024-05-01', '2024-05-01'],
    ['a boolean', 'True', 'True'],
    ['a quoted number', '"7.10"', '7.10'],
    ['white space as one space', '"  a \\t b\\n c "', 'a b c'],
    ['a folded text', '>\n    a\n    b', 'a b'],
  ])('keeps %s as written', (_, written, value) => {
    expect(read(`metadata:\n  key: ${written}`)).toEqual({ metadata: { key: value }, problems: [] });
  });

  it.each([
    ['null', 'metadata:\n  key:'],
    ['an empty text', 'metadata:\n  key: ""'],
    ['an empty map', 'metadata: {}'],
    ['nothing under metadata', 'metadata:'],
  ])('reads %s as no value', (_, yaml) => {
    expect(read(yaml)).toEqual({ metadata: {}, problems: [] });
  });

  it.each(['content', 'heading', 'scope', 'text', 'id', 'a.b-c_d'])('accepts the name %s', (key) => {
    expect(read(`metadata:\n  ${key}: x`)).toEqual({ metadata: { [key]: 'x' }, problems: [] });
  });

  it.each([
    'query',
    'limit',
    'cursor',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
  ])('leaves out the reserved name %s, with its line', (key) => {
    expect(read(`metadata:\n  ok: x\n  ${key}: y`)).toEqual({
      metadata: { ok: 'x' },
      problems: [{ line: 4, reason: `metadata: "${key}" is reserved; choose another name` }],
    });
  });

  it.each([
    ['a name that begins with a digit', 'metadata:\n  7up: x', 3],
    ['a name with a space', 'metadata:\n  a b: x', 3],
    ['an empty name', 'metadata:\n  "": x', 3],
    ['a name of 65 characters', `metadata:\n  ${'k'.repeat(65)}: x`, 3],
    ['a list', 'metadata:\n  ok: y\n  key: [a, b]', 4],
    ['a map', 'mcp_metadata:\n  key:\n    a: b', 3],
    ['a value of 129 characters', `metadata:\n  key: ${'x'.repeat(129)}`, 3],
    ['metadata that is a list', 'title: x\nmetadata: [a]', 3],
    ['metadata that is a text', 'metadata: text', 2],
    ['a list under a declared key at the top', 'title: x\nversion: [7, 8]', 3],
  ])('leaves out %s, with its line', (_, yaml, line) => {
    const { metadata, problems } = read(yaml, { declaredKeys: ['version'] });
    expect(Object.keys(metadata).filter((key) => key !== 'ok')).toEqual([]);
    expect(problems.map((problem) => problem.line)).toEqual([line]);
  });

  it('keeps values of 128 characters and names of 64', () => {
    const key = 'k'.repeat(64);
    const value = 'x'.repeat(128);
    expect(read(`metadata:\n  ${key}: ${value}`).metadata).toEqual({ [key]: value });
  });

  it('keeps 64 keys, declared ones first, and reports how many there were', () => {
    const lines = Array.from({ length: 64 }, (_, i) => `  k${100 + i}: x`);
    const { metadata, problems } = read(`metadata:\n  zeta: x\n${lines.join('\n')}`, {
      declaredKeys: ['zeta'],
    });
    expect(Object.keys(metadata)).toHaveLength(64);
    expect(Object.keys(metadata)).toContain('zeta');
    expect(problems).toEqual([{ line: 67, reason: 'metadata: 65 keys; at most 64 are kept' }]);
  });

  it('keeps 4,096 bytes, declared keys first, so that every hit fits into a reply', () => {
    const lines = Array.from({ length: 20 }, (_, i) => `  k${100 + i}: ${'港'.repeat(128)}`);
    const { metadata, problems } = read(`metadata:\n  zeta: x\n${lines.join('\n')}`, {
      declaredKeys: ['zeta'],
    });
    expect(Object.keys(metadata)).toEqual([...Array.from({ length: 10 }, (_, i) => `k${100 + i}`), 'zeta']);
    expect(problems).toEqual([{ line: 23, reason: 'metadata: 7765 bytes; at most 4096 are kept' }]);
  });
});
