import { type Arguments, renderPrompt } from '../../../../src/search-docs/documents/render-prompt.js';
import { aPrompt } from '../../../support/a-corpus.js';

const topic = { name: 'topic', description: null, isRequired: true };
const style = { name: 'style', description: null, isRequired: false };

function rendered(template: string, given: Arguments): string {
  const prompt = aPrompt({ arguments: [topic, style], messages: [{ role: 'user', template }] });
  return renderPrompt(prompt, given)[0]?.content.text ?? '';
}

describe('renderPrompt', () => {
  it('fills every message and keeps its role', () => {
    const messages = [
      { role: 'user' as const, template: 'Explain {{topic}}.' },
      { role: 'assistant' as const, template: '{{topic}} it is.' },
    ];
    expect(renderPrompt(aPrompt({ arguments: [topic], messages }), { topic: 'retries' })).toEqual([
      { role: 'user', content: { type: 'text', text: 'Explain retries.' } },
      { role: 'assistant', content: { type: 'text', text: 'retries it is.' } },
    ]);
  });

  it.each([
    ['{{topic}} {{{topic}}} {{&topic}}', '<a & "b"> <a & "b"> <a & "b">'],
    ['{{#style}}In {{style}}.{{/style}}{{^style}}As you like.{{/style}}', 'As you like.'],
    ['{{! a remark }}x', 'x'],
    ['{{> topic}}x', 'x'],
    ['{{unknown}}{{constructor}}{{toString}}{{topic.constructor}}x', 'x'],
    ['{{=<% %>=}}<%topic%>', '<a & "b">'],
  ])('renders %j', (template, text) => {
    expect(rendered(template, { topic: '<a & "b">' })).toBe(text);
  });

  it('does not read an argument as a template', () => {
    expect(rendered('{{topic}}', { topic: '{{style}}', style: 'x' })).toBe('{{style}}');
  });

  it.each([
    ['a required one is missing', {}, 'invalid_input'],
    ['a required one is empty', { topic: '' }, 'invalid_input'],
    ['one is unknown', { topic: 'x', other: 'y' }, 'unknown_field'],
    ['one is too long', { topic: 'x'.repeat(4_001) }, 'invalid_input'],
  ])('refuses arguments if %s', (_, given, reason) => {
    expect(() => rendered('', given as Arguments)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT', reason }),
    );
  });

  it.each(['constructor', 'toString'])('treats %s as an ordinary argument', (name) => {
    const of = (isRequired: boolean) =>
      aPrompt({
        arguments: [{ name, description: null, isRequired }],
        messages: [{ role: 'user', template: `{{${name}}}.` }],
      });
    expect(() => renderPrompt(of(true), {})).toThrow(expect.objectContaining({ reason: 'invalid_input' }));
    expect(renderPrompt(of(false), {})[0]?.content.text).toBe('.');
    expect(renderPrompt(of(true), { [name]: 'x' })[0]?.content.text).toBe('x.');
  });

  it('fails for a template whose result is too long', () => {
    expect(() => rendered('{{topic}}'.repeat(100), { topic: 'x'.repeat(4_000) })).toThrow(
      expect.objectContaining({ code: 'BUDGET_EXCEEDED' }),
    );
  });

  it('reports an invalid template as the fault of the operator', () => {
    expect(() => rendered('{{#topic}}', { topic: 'x' })).toThrow(
      expect.objectContaining({ code: 'BACKEND_UNAVAILABLE', reason: 'prompt_malformed' }),
    );
  });
});
