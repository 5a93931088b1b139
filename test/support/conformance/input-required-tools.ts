import { fixtureTool } from './fixture-tool.js';
import {
  acceptedIn,
  answersIn,
  askFor,
  form,
  needSampling,
  rootsList,
  sampling,
  stateOf,
} from './input-required.js';

const tool = (name: string, answer: Parameters<typeof fixtureTool>[0]['answer']) =>
  fixtureTool({ name: `test_input_required_result_${name}`, answer });

const NAME = () => ({ user_name: form('What is your name?', 'name') });
const CONFIRM = () => ({ confirm: form('Please confirm', 'ok', 'boolean') });

const confirming = (name: string) =>
  tool(name, async (context) => {
    const state = await stateOf(context);
    const isConfirmed = acceptedIn(context, 'confirm', 'ok') !== undefined;
    return state !== null && isConfirmed ? { text: 'state-ok' } : askFor(context, CONFIRM(), 'round-1');
  });

/** Tools that ask a client of 2026-07-28 in place of a result. */
export const INPUT_REQUIRED_TOOLS = [
  tool('elicitation', (context) => {
    const name = acceptedIn(context, 'user_name', 'name');
    return name === undefined ? askFor(context, NAME()) : { text: `Hello, ${name}!` };
  }),
  tool('sampling', (context) => {
    const { capital_question: answer } = answersIn(context);
    return answer
      ? { text: JSON.stringify(answer) }
      : askFor(context, { capital_question: sampling('What is the capital of France?', 100) });
  }),
  tool('list_roots', (context) => {
    const { client_roots: roots } = answersIn(context);
    return roots ? { text: JSON.stringify(roots) } : askFor(context, { client_roots: rootsList() });
  }),
  confirming('request_state'),
  confirming('tampered_state'),
  tool('multiple_inputs', async (context) => {
    const answers = answersIn(context);
    const state = await stateOf(context);
    if (state !== null && answers['user_name'] && answers['greeting'] && answers['client_roots'])
      return { text: 'All questions are answered.' };
    const more = { greeting: sampling('Generate a greeting', 50), client_roots: rootsList() };
    return askFor(context, { ...NAME(), ...more }, 'round-1');
  }),
  tool('multi_round', async (context) => {
    const name = acceptedIn(context, 'step1', 'name');
    const color = acceptedIn(context, 'step2', 'color');
    const state = await stateOf(context);
    if (state?.startsWith('name:') && color !== undefined) return { text: `${state}, color:${color}` };
    return state === 'round-1' && name !== undefined
      ? askFor(context, { step2: form('Step 2: What is your favorite color?', 'color') }, `name:${name}`)
      : askFor(context, { step1: form('Step 1: What is your name?', 'name') }, 'round-1');
  }),
  tool('capabilities', (context) => {
    const declared = context.getClientCapabilities();
    return askFor(context, {
      ...(declared?.elicitation ? NAME() : {}),
      ...(declared?.sampling ? { greeting: sampling('Generate a greeting', 50) } : {}),
    });
  }),
  fixtureTool({
    name: 'test_missing_capability',
    answer: (context) => {
      needSampling(context);
      return { text: 'The client declared sampling.' };
    },
  }),
  fixtureTool({ name: 'test_streaming_elicitation', answer: (context) => askFor(context, NAME()) }),
];
