import { queryWords, searchTerms } from './search-terms.js';

/** English function words, which match everywhere and are the most expensive to score. */
const FUNCTION_WORDS = `a about after all also am an and any are as at be because been before being below between both but by
  cannot could did do does doing don down during each few for from further had has have having he her here hers him his i if
  in into is it its itself just me more most my no nor not now of off on once only or other our ours out over own s same she
  so some such t than that the their theirs them then there these they this those through to too under until up us very was
  we were what when where which while who whom whose why will with would you your yours d ll m re ve isn aren wasn weren doesn didn won
  wouldn couldn shouldn haven hasn hadn needn mustn`;

/** Words that introduce a question; the query rewriter removes them. */
const QUESTION_WORDS = `can how should want need way possible please tell explain know get make there anything something
  someone ever actually really exactly whether happen happens thing things`;

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).flatMap((word) => searchTerms(word)));
}

const FUNCTION_STEMS = stems(FUNCTION_WORDS);
const QUESTION_STEMS = stems(QUESTION_WORDS);

/** True for the term of an English function word. */
export function isStopTerm(term: string): boolean {
  return FUNCTION_STEMS.has(term);
}

/** True for the term of a word that introduces a question. */
export function isQuestionTerm(term: string): boolean {
  return QUESTION_STEMS.has(term);
}

/** True for the term of a word that says nothing about the subject of a question. */
export function isFunctionTerm(term: string): boolean {
  return isStopTerm(term) || isQuestionTerm(term);
}

/** Frequent function and question words by language (ISO 639-1). Words of several languages are in each of their lists. */
const FREQUENT_WORDS = {
  en: FUNCTION_WORDS,
  de: `der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war wird werden wurde kann können
    muss müssen soll hat haben sein ich sie er es wir ihr man mich mir sich mit von zu zum zur auf für im in am an aus bei nach
    über unter vor durch ohne um als wenn dass auch nur noch schon mehr sehr so diese dieser dieses diesem diesen jede jeder
    alle kein keine wie wo wann warum was wer welche welcher welches welchen gibt beim vom ob bis dann hier ihre seine`,
  fr: `le la les l un une des du de d et ou mais ne pas est sont était être sera peut peuvent doit a ont avoir je tu il elle on
    nous vous ils elles me se s y en au aux ce cet cette ces qui que qu quoi dont où dans par pour sur sous avec sans entre vers
    plus moins très si lorsque quand comme aussi tout tous toute toutes même son sa ses leur leurs votre vos comment pourquoi
    combien quel quelle quels quelles c n j puis faut été fait ainsi chaque aucun aucune après avant`,
  es: `el la los las un una unos unas de del al a y e o u pero no ni es son era ser será está están fue puede pueden puedo debe
    ha han hay yo él ella se me te lo le les su sus mi que quien cuyo en por para con sin sobre entre desde hasta hacia como más
    menos muy si cuando donde también ya todo todos toda todas este esta esto estos estas ese esa cada cómo qué cuál cuáles
    cuándo dónde quién cuánto cuánta cuántos cuántas tiene tienen hace después antes`,
  it: `il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai agli alle da dal dalla dai in nel nella
    nei con su sul sulla per tra fra e ed o ma non è sono era essere sarà può possono devo deve ha hanno avere io lui lei si mi
    ti ci che chi cui se quando dove come più meno molto anche già ogni tutto tutti tutte questo questa questi queste quello
    quella suo sua suoi perché quale quali quanto quanti quante cosa posso viene l d dopo prima`,
  pt: `o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela para com sem sobre entre até e ou
    mas não nem é são era ser será está estão foi pode podem posso deve tem têm há eu ele ela se me lhe seu sua seus suas que
    quem cujo como mais menos muito quando onde também já todo todos toda todas este esta isto isso esse essa cada qual quais
    porquê quanto quantos quantas depois antes você`,
  nl: `de het een en of maar niet geen is zijn was waren wordt worden werd kan kunnen moet moeten zal heeft hebben ik je jij u hij
    zij ze we wij men er hem haar zich van in op te aan met voor naar bij uit over om door onder tot tegen tussen als dan dat die
    dit deze ook nog al meer zeer zo hoe waar wat wie wanneer waarom welke hoeveel mijn uw hun alle elke iedere`,
  sv: `en ett den det de och eller men inte är var vara blir bli blev kan ska skall måste har hade jag du han hon vi ni man sig av
    i på till från med för om vid mot under över genom utan mellan efter innan som att när där här hur vad vem vilken vilket
    vilka varför också bara mer mycket så denna detta dessa alla varje ingen inget inga min din sin dess deras`,
  pl: `i w we z ze na do od po za o u przez przy dla bez nad pod przed między oraz lub albo ale nie tak jest są był była było być
    będzie może mogą można trzeba się to ten ta te tego tej tym tych jak gdzie kiedy dlaczego czy co kto który która które
    jaki jaka jakie ile już tylko także też więcej bardzo każdy wszystkie jego jej ich mój swój jeśli aby żeby gdy`,
  ru: `и в во на с со к ко о об от до из по за при без для над под перед между через или но а не ни да это этот эта эти того той
    тем тех как где когда почему что кто который которая которое которые какой какая какие сколько уже только также ещё более
    очень каждый все всё его её их мой свой если чтобы есть быть был была было были будет может могут можно нужно надо ли бы же
    я мы вы он она они мне меня вас нас у`,
  zh: `哪些 什么 怎么 怎样 如何 可以 是否 为什么 多少 哪里 哪个 能否 能够 需要 吗 没有 我们 你们 他们 这个 那个 这些 那些 一个 进行
    以及 或者 如果 因为 所以 但是 时候 可能 应该 多久 多长 几个`,
  ja: `です ます ません ました あり ある あります する します した して できる でき できます れる られ いる いつ どこ どう どの
    どれ どんな だれ なに なぜ いくつ ください この その あの これ それ から まで ため よう こと もの とき なら ない など また
    または および について によって 場合 何 誰 でしょ`,
} as const;

/** A language that is told apart; `und` is undetermined, for other scripts. */
export type Language = keyof typeof FREQUENT_WORDS | 'und';

const LANGUAGES = Object.keys(FREQUENT_WORDS) as (keyof typeof FREQUENT_WORDS)[];

function languagesByWord(): ReadonlyMap<string, readonly Language[]> {
  const byWord = new Map<string, Language[]>();
  for (const language of LANGUAGES) {
    for (const word of new Set(FREQUENT_WORDS[language].split(/\s+/)))
      byWord.set(word, [...(byWord.get(word) ?? []), language]);
  }
  return byWord;
}

const LANGUAGES_OF = languagesByWord();
const LETTER = /\p{L}/gu;
const LATIN = /\p{sc=Latin}/gu;
// Not the parts of identifiers and file names, such as the German word in `STORAGE_DIR`.
const LATIN_WORD = /(?<![\p{L}\p{N}_./:-])[\p{sc=Latin}\p{M}]+(?![_./:-]?[\p{L}\p{N}])/gu;
const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/\p{sc=Cyrl}/u, 'ru'],
  [/[\p{sc=Hira}\p{sc=Kana}]/u, 'ja'],
  [/\p{sc=Han}/u, 'zh'],
];
/** Characters of a section that are read to find its language. */
const READ_CHARS = 2_000;
/** Different words that tell the language of a section. English sections have one or two of another language in examples. */
const TELLING_WORDS = 3;

function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/**
 * The language of a question: by its script if few letters are Latin, otherwise the one with the most frequent words in
 * it, each counted once. English if no other language has more.
 * @param atLeast  frequent words that another language than English must have
 */
export function languageOf(text: string, atLeast = 1): Language {
  if (countIn(text, LETTER) > 2 * countIn(text, LATIN))
    return SCRIPTS.find(([script]) => script.test(text))?.[1] ?? 'und';
  const counts = new Map<Language, number>();
  for (const word of new Set(text.normalize('NFC').toLowerCase().match(LATIN_WORD)))
    for (const language of LANGUAGES_OF.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  const most = Math.max(atLeast, (counts.get('en') ?? 0) + 1, ...counts.values());
  return LANGUAGES.find((language) => counts.get(language) === most) ?? 'en';
}

/** The language of a section's text. */
export function sectionLanguage(text: string): Language {
  return languageOf(text.slice(0, READ_CHARS), TELLING_WORDS);
}

const TERMS_OF = new Map<Language, ReadonlySet<string>>();

/** The terms of the frequent words of a language. */
export function frequentTerms(language: Language): ReadonlySet<string> {
  const known = TERMS_OF.get(language);
  if (known) return known;
  const words = language === 'und' ? [] : queryWords(FREQUENT_WORDS[language]);
  const terms = new Set(words.map(({ term }) => term));
  TERMS_OF.set(language, terms);
  return terms;
}
